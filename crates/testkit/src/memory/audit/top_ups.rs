//! I27: what confirms a top-up belongs to one that was announced.

use super::{Check, MemoryTables};
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i27_confirmations_have_their_top_ups(&self) -> CheckResult {
        let rule = "Every funding that confirms a top-up belongs to one that was announced";
        let mut check = Check::new("I27", rule);
        for funding in &self.fundings {
            let number = funding.reference.as_str().strip_prefix("topup:");
            let Some(number) = number.and_then(|digits| digits.parse::<u64>().ok()) else {
                continue;
            };
            let is_announced = self.top_ups.iter().any(|it| {
                it.account == funding.account
                    && it.number.get() == number
                    && it.amount.currency() == funding.amount.currency()
            });
            check.row(is_announced, || {
                format!("{} of {}", funding.reference, funding.account)
            });
        }
        check.result()
    }
}
