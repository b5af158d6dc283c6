//! What must hold of money as a whole: nothing is made or lost, and what moved is what was quoted.
//! It must look at transfers, never at wallets.

use super::{Check, MemoryTables};
use domain::ledger::{CostDifferences, LedgerAccount, TransferKind};
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::transaction::{AttemptNumber, Status, Transaction};
use ports::audit::CheckResult;
use std::collections::BTreeSet;

impl MemoryTables {
    pub(super) fn i15_the_sum_is_zero(&self) -> CheckResult {
        let rule = "The balances of all accounts add up to nothing in each currency";
        let mut check = Check::new("I15", rule);
        for currency in Currency::ALL {
            let transfers = self.transfers.iter();
            let touched = transfers.flat_map(|(_, it)| [&it.debit, &it.credit]);
            let touched: BTreeSet<_> = touched.collect();
            let sum: i64 = touched.iter().map(|it| self.balance(it, currency)).sum();
            check.row(sum == 0, || {
                format!("{sum} minor units of {} too many", currency.code())
            });
        }
        check.result()
    }

    pub(super) fn i16_the_price_is_what_moved(&self) -> CheckResult {
        let rule =
            "What is held, captured, released and returned is the price, or what is charged of it";
        let mut check = Check::new("I16", rule);
        let kinds = [
            TransferKind::Hold,
            TransferKind::Release,
            TransferKind::TransferOut,
        ];
        let charged = [TransferKind::Capture, TransferKind::Reversal];
        for tx in self.all() {
            let moved = |kinds: &[TransferKind]| -> Vec<Money> {
                let moved = kinds.iter().flat_map(|kind| self.transfers_of(tx, *kind));
                moved.map(|transfer| transfer.amount).collect()
            };
            let (whole, part) = (moved(&kinds), moved(&charged));
            let (price, used) = (tx.quote.price, tx.charged().price);
            let exact = whole.iter().all(|amount| *amount == price);
            let exact = exact && part.iter().all(|amount| *amount == used);
            let unused = price.checked_sub(used).filter(|it| it.is_positive());
            let exact = exact && moved(&[TransferKind::Unused]) == Vec::from_iter(unused);
            check.row(exact, || {
                format!("{}: {whole:?} of {price}, {part:?} of {used}", tx.number)
            });
            self.i16_kept(tx, &mut check);
            let arrived = self.transfers_of(tx, TransferKind::TransferIn);
            let arrived: Vec<Money> = arrived.into_iter().map(|it| it.amount).collect();
            let ordered = Vec::from_iter(tx.order.arrives());
            check.row(arrived == ordered, || {
                format!("{}: brought {arrived:?}, not {ordered:?}", tx.number)
            });
        }
        check.result()
    }
}

impl MemoryTables {
    pub(super) fn i21_costs_are_booked(&self) -> CheckResult {
        let rule = "What providers took for deliveries is booked";
        let mut check = Check::new("I21", rule);
        for tx in self.all() {
            for provider in tx.prepared.iter().map(|prepared| &prepared.provider) {
                let float = LedgerAccount::Float(provider.clone());
                let moved = self
                    .transfers_of(tx, TransferKind::CostDifference)
                    .into_iter();
                let booked: i64 = moved
                    .map(|it| match (it.credit == float, it.debit == float) {
                        (true, _) => it.amount.minor(),
                        (false, true) => -it.amount.minor(),
                        (false, false) => 0,
                    })
                    .sum();
                let expected = costs_at(tx, provider);
                check.row(booked == expected, || {
                    format!("{}: {booked} at {provider}, not {expected}", tx.number)
                });
            }
        }
        check.result()
    }
}

/// What a transaction must have booked at a provider beside the quoted cost.
fn costs_at(tx: &Transaction, provider: &ProviderId) -> i64 {
    let differences = CostDifferences::of(tx);
    let attempts = [Some(AttemptNumber::FIRST), AttemptNumber::FIRST.next()];
    let there = attempts.into_iter().flatten().filter(|attempt| {
        let made = tx.prepared.of(*attempt);
        made.is_some_and(|made| made.provider == *provider)
    });
    let amounts = there.filter_map(|attempt| differences.get(attempt));
    amounts.map(Money::minor).sum()
}

impl MemoryTables {
    /// What is charged and what is owed to the state is what was quoted while the sale stands, and
    /// nothing otherwise.
    fn i16_kept(&self, tx: &Transaction, check: &mut Check) {
        let kept = |kind, returned| {
            let sum = |kind| {
                let amounts = self.transfers_of(tx, kind).into_iter();
                amounts.map(|it| it.amount.minor()).sum::<i64>()
            };
            sum(kind) - sum(returned)
        };
        let fee = kept(TransferKind::Charge, TransferKind::ChargeReversal);
        let vat = kept(TransferKind::Vat, TransferKind::VatReversal);
        let levy = kept(TransferKind::Levy, TransferKind::LevyReversal);
        let quote = &tx.quote;
        let quoted = match tx.status() {
            Status::Successful => [quote.fee, quote.vat, quote.levy].map(Money::minor),
            Status::Pending | Status::Failed | Status::Reversed => [0; 3],
        };
        let kept = [fee, vat, levy];
        check.row(kept == quoted, || {
            format!("{}: keeps {kept:?}, quoted {quoted:?}", tx.number)
        });
    }
}
