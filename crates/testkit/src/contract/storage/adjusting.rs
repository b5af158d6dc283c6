//! Laws of corrections of balances.

use super::setup::{Stores, whole};
use crate::builders::{account_id, adjustment, airtime, at, funding, kobo};
use domain::change_set::ChangeSet;
use domain::ledger::TransferKind;
use domain::statement::Direction;
use ports::ledger_store::CommitOutcome;
use ports::operators::SignedEffect;
use ports::reports::SettledRange;

impl Stores {
    async fn adjust(&self, under: &str, amount: &str) -> CommitOutcome {
        let correction = adjustment("shop", under, amount);
        self.commit(ChangeSet::Fund(correction)).await
    }
}

/// A correction moves a balance either way, once per reference, and shares none with a payment in.
pub async fn a_correction_is_made_once_per_reference(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    assert_eq!(stores.adjust("up", "250.00").await, CommitOutcome::Done);
    assert_eq!(stores.adjust("down", "-100.00").await, CommitOutcome::Done);
    let up = CommitOutcome::FundingTaken(kobo(25_000));
    let down = CommitOutcome::FundingTaken(kobo(-10_000));
    for amount in ["250.00", "-250.00"] {
        assert_eq!(stores.adjust("up", amount).await, up);
        assert_eq!(stores.adjust("down", amount).await, down);
    }
    assert_eq!(stores.balances("shop").await, (115_000, 0));
    let credit = ChangeSet::Fund(funding("shop", "up", "5.00"));
    assert_eq!(stores.commit(credit).await, CommitOutcome::Done);
    let page = stores.statement("shop", &whole()).await;
    let lines = page.entries.iter();
    let lines: Vec<_> = lines.map(|it| (it.direction, it.amount.minor())).collect();
    assert_eq!(
        lines,
        [
            (Direction::Credit, 100_000),
            (Direction::Credit, 25_000),
            (Direction::Debit, 10_000),
            (Direction::Credit, 500),
        ]
    );
    assert_eq!(page.entries[2].narration, "Adjustment down");
    stores.must_be_clean(at(9)).await;
}

/// A correction never takes what is held for open payments.
pub async fn a_correction_takes_no_more_than_can_be_spent(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    stores.has_opened(&airtime()).await;
    let (available, held) = stores.balances("shop").await;
    assert!(held > 0);
    let taken = kobo(-available).to_string();
    let more = kobo(-available - 1).to_string();
    let refused = CommitOutcome::InsufficientFunds;
    assert_eq!(stores.adjust("all", &more).await, refused);
    assert_eq!(stores.adjust("all", &taken).await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (0, held));
    assert_eq!(stores.adjust("more", "-0.01").await, refused);
    stores.must_be_clean(at(9)).await;
}

/// Corrections are in reports of settlement, and are shown to those who check what was signed.
pub async fn a_correction_is_reported_with_its_direction(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    assert_eq!(stores.adjust("up", "250.00").await, CommitOutcome::Done);
    assert_eq!(stores.adjust("down", "-100.00").await, CommitOutcome::Done);
    let range = SettledRange {
        from: at(0),
        until: at(100),
        after: None,
        limit: 100,
    };
    let rows = stores.settled("shop", &range).await;
    let net: i64 = rows.iter().map(|it| it.settlement_sums().net.minor()).sum();
    assert_eq!(net, 115_000);
    let kinds: Vec<_> = rows.iter().map(|it| (it.kind, it.amount.minor())).collect();
    let corrections = [
        (TransferKind::AdjustmentCredit, 25_000),
        (TransferKind::AdjustmentDebit, 10_000),
    ];
    assert_eq!(kinds[1..], corrections);
    let effects = stores.operators.effects().await.unwrap();
    let signed = |under: &str, minor| {
        let wanted = adjustment("shop", under, "0.01").reference;
        let effect = SignedEffect::Funding(account_id("shop"), wanted, kobo(minor));
        effects.contains(&effect)
    };
    assert!(signed("up", 25_000), "{effects:?}");
    assert!(signed("down", -10_000), "{effects:?}");
}
