//! Services and appointments that cases are about, which are made first.

use crate::merchant::{TestMerchant, fresh};
use crate::patience::time_of_day;
use serde_json::json;
use std::sync::atomic::{AtomicI64, Ordering};

/// What stands for the number of a service that can be booked until one is made.
pub const BOOKABLE: &str = "5000000000000009";

/// What stands for the number of an appointment until one is booked.
pub const APPOINTMENT: &str = "5000000000000010";

/// Every hour of the week.
const ALWAYS: &str = "Mon 00:00-24:00,Tue 00:00-24:00,Wed 00:00-24:00,Thu 00:00-24:00,\
                      Fri 00:00-24:00,Sat 00:00-24:00,Sun 00:00-24:00";

/// How many half hours were given away.
static GIVEN: AtomicI64 = AtomicI64::new(0);

/// Another half hour in more than a day, in the form of RFC 3339: people serve one service at a
/// time.
///
/// # Panics
/// When the moment is not known, which it always is.
#[must_use]
pub fn half_hour() -> String {
    let now = time_of_day().as_millis().div_euclid(1_000);
    let given = GIVEN.fetch_add(1, Ordering::Relaxed);
    let half_hours = now
        .div_euclid(1_800)
        .saturating_add(60)
        .saturating_add(given);
    let at = jiff::Timestamp::from_second(half_hours.saturating_mul(1_800));
    at.expect("a moment").to_string()
}

impl TestMerchant {
    /// The number of a service of its own, of half an hour at any time of the day, that a thousand
    /// share.
    pub async fn make_service(&self) -> String {
        let wanted = json!({
            "mrcReference": fresh("service-"), "bkgName": "Haircut", "bkgTimezone": "UTC",
            "bkgHours": ALWAYS, "bkgMinutes": 30, "bkgCapacity": 1000, "bkgTeam": ["Ada", "Bola"],
            "currency": "NGN",
        });
        let made = self.post("/booking/service", &wanted).await;
        made.with_status(201).json()["bkgService"].to_string()
    }

    /// The number of an appointment of a service of its own.
    pub async fn make_appointment(&self) -> String {
        let service: u64 = self.make_service().await.parse().expect("a number");
        let wanted = json!({
            "mrcReference": fresh("appointment-"), "bkgService": service,
            "bkgStart": half_hour(), "customerName": "Ngozi Eze",
            "customerPhone": "2348031234567",
        });
        let made = self.post("/booking/appointment", &wanted).await;
        made.with_status(201).json()["bkgIdentifier"].to_string()
    }
}
