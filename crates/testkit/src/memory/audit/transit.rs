//! I24: what leaves one account for another arrives there.

use super::{Check, MemoryTables};
use domain::ledger::{LedgerAccount, Transfer, TransferKind};
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i24_nothing_stays_in_transit(&self) -> CheckResult {
        let rule = "What left one account for another arrived there, once and whole";
        let mut check = Check::new("I24", rule);
        let mut arrived: Vec<&Transfer> = self
            .transfers
            .iter()
            .map(|(_, transfer)| transfer)
            .filter(|transfer| transfer.kind == TransferKind::UserCredit)
            .collect();
        for tx in self.all() {
            let out = self.transfers_of(tx, TransferKind::TransferOut);
            let out = out.iter().any(|it| it.credit == LedgerAccount::Transit);
            let payee = tx.payee().map(|payee| payee.account.clone());
            check.row(out == payee.is_some(), || {
                format!("{}: {out} left, for {payee:?}", tx.number)
            });
            let Some(payee) = payee else {
                continue;
            };
            let place = arrived.iter().position(|it| {
                it.credit == LedgerAccount::Available(payee.clone()) && it.amount == tx.quote.price
            });
            check.row(place.is_some() && payee != tx.account, || {
                format!("{}: {} did not arrive", tx.number, tx.quote.price)
            });
            if let Some(place) = place {
                arrived.swap_remove(place);
            }
        }
        check.row(arrived.is_empty(), || {
            format!("{arrived:?} arrived and did not leave")
        });
        check.result()
    }
}
