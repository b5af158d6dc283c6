//! Laws of paying money in.

use super::setup::{Stores, whole};
use crate::builders::{account_id, airtime, funding, kobo};
use domain::account::AccountStatus;
use domain::change_set::ChangeSet;
use domain::statement::Direction;
use ports::ledger_store::CommitOutcome;

/// A duplicate credit is refused, whatever its amount, with the amount already credited.
pub async fn a_credit_is_made_once_per_reference(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    let credit = |amount| stores.commit(ChangeSet::Fund(funding("shop", "slip-7", amount)));
    assert_eq!(credit("250.00").await, CommitOutcome::Done);
    let taken = CommitOutcome::FundingTaken(kobo(25_000));
    assert_eq!(credit("250.00").await, taken);
    assert_eq!(credit("99.00").await, taken);
    assert_eq!(stores.balances("shop").await, (125_000, 0));
    let page = stores.statement("shop", &whole()).await;
    assert_eq!(page.total, 2);
    let line = &page.entries[1];
    assert_eq!(
        (line.direction, line.amount),
        (Direction::Credit, kobo(25_000))
    );
    assert_eq!(line.narration, "Paid in: slip-7");
    assert_eq!(line.transaction, None);
}

/// Funding references are each account's own.
pub async fn two_accounts_may_be_credited_under_the_same_reference(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_account("kiosk", "1.00").await;
    for account in ["shop", "kiosk"] {
        let credit = ChangeSet::Fund(funding(account, "slip-7", "5.00"));
        assert_eq!(stores.commit(credit).await, CommitOutcome::Done);
        assert_eq!(stores.balances(account).await, (600, 0));
    }
}

/// An operator's references and a merchant's never collide.
pub async fn a_credit_may_share_its_reference_with_a_purchase(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_opened(&airtime().reference("slip-7")).await;
    let credit = ChangeSet::Fund(funding("shop", "slip-7", "5.00"));
    assert_eq!(stores.commit(credit).await, CommitOutcome::Done);
    let credit = ChangeSet::Fund(funding("shop", "slip-8", "5.00"));
    assert_eq!(stores.commit(credit).await, CommitOutcome::Done);
    stores
        .has_opened(&airtime().number(2).reference("slip-8"))
        .await;
}

/// A credit to an unknown account is refused.
pub async fn an_unknown_account_is_never_credited(stores: &Stores) {
    let credit = || stores.commit(ChangeSet::Fund(funding("shop", "slip-7", "5.00")));
    assert_eq!(credit().await, CommitOutcome::AccountUnknown);
    stores.has_account("shop", "1.00").await;
    assert_eq!(credit().await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (600, 0));
}

/// Suspension binds the merchant, not the operator: money that came in is booked.
pub async fn a_suspended_account_can_still_be_credited(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let shop = account_id("shop");
    let set = stores
        .accounts
        .set_status(&shop, AccountStatus::Suspended)
        .await;
    assert!(set.unwrap());
    let credit = ChangeSet::Fund(funding("shop", "slip-7", "5.00"));
    assert_eq!(stores.commit(credit).await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (600, 0));
}
