//! I29: what codes hold is what the ledger says of them.

use super::{Check, MemoryTables};
use domain::ledger::{LedgerAccount, TransferKind};
use domain::money::{Currency, Money};
use domain::voucher::VoucherBatch;
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i29_codes_hold_what_the_ledger_says(&self) -> CheckResult {
        let rule = "What codes hold is what the ledger says, and each movement is that of a step";
        let mut check = Check::new("I29", rule);
        for row in &self.accounts {
            let id = &row.account.id;
            for currency in Currency::ALL {
                let codes = self.vouchers.codes.iter().map(|(_, code)| code);
                let codes = codes.filter(|it| it.account == *id && it.terms.currency == currency);
                let held: i64 = codes.map(|it| it.left.balance.minor()).sum();
                let booked = self.balance(&LedgerAccount::Vouchers(id.clone()), currency);
                check.row(held == booked, || {
                    format!("{id}: codes hold {held}, the ledger says {booked}")
                });
            }
        }
        let money = |kind: TransferKind| -> i64 {
            let moved = self.transfers.iter().map(|(_, moved)| moved);
            let moved = moved.filter(|moved| moved.kind == kind);
            moved.map(|moved| moved.amount.minor()).sum()
        };
        let of_batches = self.vouchers.batches.iter().filter_map(VoucherBatch::held);
        let issued: i64 = of_batches.map(Money::minor).sum();
        let booked = money(TransferKind::VoucherIssue);
        check.row(issued == booked, || {
            format!("{issued} was given to codes, {booked} was booked")
        });
        check.result()
    }
}
