//! Limits that merchants set on what they spend, and the payments that wait for an approval because
//! of one. No payment may be opened above a limit, and none may be approved by who asked for it.

mod approvals;
mod limits;
mod seal;

pub use approvals::{ApprovalError, DecidedPayments};
pub use limits::LimitError;
pub use seal::seal_limit;
pub(crate) use seal::{verified_limits, with_seal_checked};

use crate::gateway::{Gateway, Merchant};
use crate::payment::PricedOrder;
use crate::request_error::RequestError;
use domain::money::Money;
use domain::order::Order;
use domain::spending::{ActiveLimits, SpendingBreach, SpendingDay};
use domain::time::Timestamp;
use domain::transaction::{Approval, KeyHolder};
use jiff::tz::TimeZone;
use ports::spending_limits::StoredLimit;

/// Why a payment may not be made under the limits of its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OverLimit {
    /// It costs more than one payment may.
    #[error("one payment may cost {0} at most")]
    PerTransaction(Money),
    /// More would be spent in the day than may be.
    #[error("payments of a day may cost {0} together")]
    PerDay(Money),
    /// It would need an approval, which what is done at once cannot wait for.
    #[error("what costs more than {0} needs an approval, which this cannot wait for")]
    Approval(Money),
    /// A limit of the account cannot be read as it was set.
    #[error("a limit of the account cannot be read as it was set")]
    Unreadable,
}

/// What the limits of an account say of a payment that is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpendingCheck {
    /// How much may be spent in a day.
    per_day: Option<Money>,
    /// The time zone of the account.
    time_zone: String,
    /// The approval it waits for.
    pub(crate) approval: Option<Approval>,
}

impl SpendingCheck {
    /// What limits say of payments that cost so much together, which wait for an approval or not.
    pub(crate) fn new(merchant: &Merchant, price: Money, needs_approval: bool) -> Self {
        Self {
            per_day: merchant.limits.per_day(price),
            time_zone: merchant.account.time_zone.clone(),
            approval: needs_approval.then(|| Approval::awaited(merchant.key_holder())),
        }
    }

    /// The day of the moment at which a payment is opened: it must be that one's, and no other's.
    pub(crate) fn day(&self, opened_at: Timestamp) -> SpendingDay {
        SpendingDay {
            began_at: day_of(&self.time_zone, opened_at),
            limit: self.per_day,
        }
    }
}

/// The limits that count, of those that are stored and were verified.
pub(crate) fn active(stored: &[StoredLimit]) -> ActiveLimits {
    let mut limits = Vec::with_capacity(stored.len());
    for limit in stored {
        match limit {
            StoredLimit::Sealed(sealed) => {
                limits.push((sealed.limit.services, sealed.limit.terms));
            }
            StoredLimit::Unreadable(_) => return ActiveLimits::unreadable(),
        }
    }
    ActiveLimits::new(limits)
}

impl Merchant {
    /// The key of the request, and its user.
    pub(crate) const fn key_holder(&self) -> KeyHolder {
        KeyHolder {
            key: self.grant.key,
            user: self.grant.user,
        }
    }
}

impl Gateway {
    /// What the limits of the merchant, and what is frozen, say of a payment now.
    pub(crate) fn within_limits(
        merchant: &Merchant,
        priced: &PricedOrder,
    ) -> Result<SpendingCheck, RequestError> {
        let (service, price) = (priced.order.service(), priced.quote.price);
        merchant.freezes.allow(service)?;
        let allowed = merchant.limits.allow(service, price);
        allowed.map_err(|breach| match breach {
            SpendingBreach::PerTransaction(most) => OverLimit::PerTransaction(most),
            SpendingBreach::Unreadable => OverLimit::Unreadable,
        })?;
        let above = merchant.limits.approval_needed(service, price);
        if let Some(bound) = above.filter(|_| is_done_at_once(&priced.order)) {
            return Err(OverLimit::Approval(bound).into());
        }
        Ok(SpendingCheck::new(merchant, price, above.is_some()))
    }
}

/// Whether the gateway's own books do it as it is asked for, or once another account has an
/// address: it is not sent from the queue.
fn is_done_at_once(order: &Order) -> bool {
    !order.service().has_provider()
}

/// When the day of a moment began in a time zone; in one that is not known, in UTC.
pub(crate) fn day_of(time_zone: &str, now: Timestamp) -> Timestamp {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let moment = jiff::Timestamp::from_millisecond(now.as_millis());
    let began = moment.and_then(|moment| moment.to_zoned(zone).start_of_day());
    began.map_or(now, |began| {
        Timestamp::from_millis(began.timestamp().as_millisecond())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_of_the_account() {
        // 10:00 on the fifteenth in Lagos, which is an hour ahead of UTC.
        let now = Timestamp::from_millis(1_768_467_600_000);
        let hours = |count: i64| Timestamp::from_millis(now.as_millis() - count * 3_600_000);
        assert_eq!(day_of("Africa/Lagos", now), hours(10));
        assert_eq!(day_of("UTC", now), hours(9));
        assert_eq!(day_of("Nowhere/Else", now), hours(9));
        let early = hours(10);
        assert_eq!(day_of("Africa/Lagos", early), early);
    }
}
