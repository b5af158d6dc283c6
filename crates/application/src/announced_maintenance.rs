//! Maintenance that operators announced while the gateway runs. The signed log of operators is the
//! only record: what was announced holds from its first moment to its last, unless an operator
//! signed its end. It must never change what was given to a provider before.

use crate::availability::Offering;
use crate::operators::Operators;
use domain::operations::maintenance::{AnnouncedMaintenance, MaintenanceScope};
use domain::operator::{Act, OperatorName, OperatorOrder};
use domain::provider::ProviderId;
use ports::PortError;

/// What operators say of it.
const ACTS: [Act; 2] = [Act::MaintenanceAnnounce, Act::MaintenanceEnd];

/// Announced maintenance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaintenanceNotice {
    /// What is away, and when.
    pub time: AnnouncedMaintenance,
    /// The operator who announced it.
    pub by: OperatorName,
    /// Why, in the operator's words.
    pub reason: String,
}

impl MaintenanceNotice {
    /// What an operator signs to announce maintenance.
    pub fn order(time: &AnnouncedMaintenance, reason: &str) -> OperatorOrder {
        let order = OperatorOrder::new(Act::MaintenanceAnnounce);
        order.under(time).with(reason)
    }

    /// What an operator signs to end it before its time.
    pub fn end(time: &AnnouncedMaintenance, reason: &str) -> OperatorOrder {
        OperatorOrder::new(Act::MaintenanceEnd)
            .under(time)
            .with(reason)
    }

    /// Whether what is offered to a provider falls into it.
    pub(crate) fn covers(&self, provider: &ProviderId, offering: Offering<'_>) -> bool {
        let is_of_it = match self.time.scope() {
            MaintenanceScope::Provider(only) => only == provider,
            MaintenanceScope::Service(only) => *only == offering.service,
            MaintenanceScope::Biller(only, code) => {
                *only == offering.service && offering.biller == Some(code)
            }
        };
        is_of_it && (self.time.from()..self.time.until()).contains(&offering.at)
    }
}

impl Operators {
    /// The maintenance that is announced and not over, in the order of the log. An entry that no
    /// operator of its moment signed counts for nothing here: the audit names it (I19).
    ///
    /// # Errors
    /// When the store failed.
    pub async fn announced_maintenance(&self) -> Result<Vec<MaintenanceNotice>, PortError> {
        let now = self.clock.now();
        let mut announced: Vec<MaintenanceNotice> = Vec::new();
        for (by, entry) in self.signed_of(&ACTS).await? {
            let Some(time) = AnnouncedMaintenance::from_record(&entry.order.reference) else {
                continue;
            };
            // A repeated announcement changes nothing but who made it, and why.
            announced.retain(|it| it.time != time);
            if entry.order.act == Act::MaintenanceAnnounce && time.until() > now {
                announced.push(MaintenanceNotice {
                    time,
                    by,
                    reason: entry.order.detail,
                });
            }
        }
        Ok(announced)
    }
}
