//! The freeze of every account's payments by an operator. The signed log of operators is the only
//! record: payments are frozen while its last signed act of them is a freeze. It must not stop what
//! is under way from being concluded.

use crate::operators::Operators;
use domain::freeze::FreezeReason;
use domain::operator::{Act, OperatorName, OperatorOrder};
use domain::time::Timestamp;
use ports::PortError;

/// What operators say of it.
const ACTS: [Act; 2] = [Act::PaymentsFreeze, Act::PaymentsUnfreeze];

/// The freeze of every account's payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentFreeze {
    /// The operator who froze them.
    pub by: OperatorName,
    /// Since when.
    pub since: Timestamp,
    /// Why, in the operator's words.
    pub reason: String,
}

impl PaymentFreeze {
    /// What an operator signs to freeze payments.
    pub fn order(reason: &FreezeReason) -> OperatorOrder {
        OperatorOrder::new(Act::PaymentsFreeze).with(reason.as_str())
    }

    /// What an operator signs to let them go on.
    pub fn end(reason: &FreezeReason) -> OperatorOrder {
        OperatorOrder::new(Act::PaymentsUnfreeze).with(reason.as_str())
    }
}

impl Operators {
    /// The freeze of payments that is in force. An entry that no operator of its moment signed
    /// counts for nothing here, neither a freeze nor its end: the audit names it (I19).
    ///
    /// # Errors
    /// When the store failed.
    pub async fn frozen_payments(&self) -> Result<Option<PaymentFreeze>, PortError> {
        let mut frozen = None;
        for (by, entry) in self.signed_of(&ACTS).await? {
            if entry.order.act == Act::PaymentsFreeze {
                frozen = Some(PaymentFreeze {
                    by,
                    since: entry.at,
                    reason: entry.order.detail,
                });
            } else if entry.order.act == Act::PaymentsUnfreeze {
                frozen = None;
            }
        }
        Ok(frozen)
    }
}
