//! I30: what is recorded as bought on a schedule was bought.

use super::{Check, MemoryTables};
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i30_runs_have_their_payments(&self) -> CheckResult {
        let rule = "Every run of a subscription that is recorded as bought has its payment";
        let mut check = Check::new("I30", rule);
        for it in &self.recurring.all {
            let (terms, progress) = (&it.payment.terms, &it.payment.progress);
            let named = format!("subscription {} of {}", terms.number, terms.account);
            let all = self.recurring.runs.iter();
            let of_it = all.filter(|((account, number, _), _)| {
                (account, *number) == (&terms.account, terms.number)
            });
            let runs: Vec<_> = of_it.map(|(_, run)| run).collect();
            let open = progress.open.map(|run| run.number);
            let is_there = open.is_none_or(|open| runs.iter().any(|run| run.number == open));
            check.row(is_there, || format!("{named} has lost its run"));
            let bought = runs
                .iter()
                .filter(|run| run.state.has_payment() || run.tries > 0);
            let is_counted = bought.count() <= progress.bought as usize;
            check.row(is_counted, || {
                format!("{named} counts {} runs that were bought", progress.bought)
            });
            for run in runs {
                let is_begun = run.number < progress.next_run && terms.has_run(run.number);
                let is_paid = !run.state.has_payment() || self.has_payment_of_run(it, run);
                check.row(is_begun && is_paid, || {
                    format!(
                        "run {} of {named} has no payment, or was not begun",
                        run.number
                    )
                });
            }
        }
        check.result()
    }
}
