//! I26: what counts of a day.

use super::{Check, MemoryTables};
use domain::transaction::{State, Transaction};
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i26_no_day_costs_more_than_counts(&self) -> CheckResult {
        let rule = "What counts of a day is no less than its payments that have not failed";
        let mut check = Check::new("I26", rule);
        for wallet in self.accounts.iter().flat_map(|row| &row.wallets) {
            let Some(from) = wallet.spending.counted_from else {
                continue;
            };
            let is_counted = |tx: &&Transaction| {
                tx.account == wallet.account
                    && tx.quote.price.currency() == wallet.currency()
                    && tx.opened_at > from
                    && !matches!(tx.state, State::Failed(_) | State::Cancelled(_))
            };
            let counted = self.all().filter(is_counted);
            let cost: i64 = counted.map(|tx| tx.quote.price.minor()).sum();
            let spent = wallet.spending.spent.minor();
            check.row(cost <= spent, || {
                format!("{}: {spent} counts, {cost} was spent", wallet.account)
            });
        }
        check.result()
    }
}
