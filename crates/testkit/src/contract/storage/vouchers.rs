//! Laws of codes. The money of a code must be moved with it, once, whatever is asked at once.

use super::setup::Stores;
use crate::builders::{
    account_id, at, coupons, freeze, gift_cards, issue, kobo, number, reference, voucher_hash,
};
use domain::account::AccountStatus;
use domain::change_set::ChangeSet;
use domain::freeze::{FreezeAuthority, FreezeBreach, FreezeTarget};
use domain::money::{Currency, Money};
use domain::voucher::{
    Voucher, VoucherBatch, VoucherId, VoucherKind, VoucherPrefix, VoucherRedeeming,
    VoucherRedemption, VoucherRefusal, VoucherRollingBack, VoucherRules, VoucherStatus,
    VoucherStep, VoucherVoiding,
};
use ports::ledger_store::CommitOutcome;
use tokio::task::JoinSet;

async fn step(stores: &Stores, step: VoucherStep) -> CommitOutcome {
    stores.commit(ChangeSet::Voucher(Box::new(step))).await
}

async fn made(stores: &Stores, batch: &VoucherBatch) -> CommitOutcome {
    step(stores, VoucherStep::Issue(issue(batch))).await
}

fn first(batch: &VoucherBatch) -> VoucherId {
    Voucher::of(batch, 1).id
}

fn redeeming(batch: &VoucherBatch, under: &str, minor: i64) -> VoucherRedeeming {
    VoucherRedeeming {
        account: batch.account.clone(),
        reference: reference(under),
        voucher: first(batch),
        amount: kobo(minor),
        target: None,
        at: at(1),
    }
}

async fn redeem(stores: &Stores, wanted: VoucherRedeeming) -> CommitOutcome {
    step(stores, VoucherStep::Redeem(wanted)).await
}

fn rolling_back(batch: &VoucherBatch, under: &str, original: &str) -> VoucherRollingBack {
    VoucherRollingBack {
        account: batch.account.clone(),
        reference: reference(under),
        original: reference(original),
        voucher: first(batch),
        currency: Currency::Ngn,
        reason: "Returned".to_owned(),
        at: at(2),
    }
}

async fn roll_back(stores: &Stores, wanted: VoucherRollingBack) -> CommitOutcome {
    step(stores, VoucherStep::RollBack(wanted)).await
}

async fn void(stores: &Stores, batch: &VoucherBatch, seen: Option<u32>) -> CommitOutcome {
    let wanted = VoucherVoiding {
        account: batch.account.clone(),
        voucher: first(batch),
        currency: Currency::Ngn,
        seen,
        reason: "Lost".to_owned(),
        at: at(3),
    };
    step(stores, VoucherStep::Void(wanted)).await
}

async fn code(stores: &Stores, batch: &VoucherBatch) -> Voucher {
    let found = stores.vouchers.voucher(&batch.account, first(batch)).await;
    found.expect("read a code").expect("the code is there")
}

async fn redemption(stores: &Stores, under: &str) -> Option<VoucherRedemption> {
    let (account, under) = (account_id("shop"), reference(under));
    let found = stores.vouchers.voucher_redemption(&account, &under).await;
    found.expect("read a redemption")
}

const fn refused(why: VoucherRefusal) -> CommitOutcome {
    CommitOutcome::VoucherRefused(why)
}

/// A batch of one voucher of 500.00, redeemed at once.
fn single(under: &str) -> VoucherBatch {
    let mut batch = gift_cards("shop", 7, under);
    batch.terms.kind = VoucherKind::Voucher;
    batch.terms.uses = Some(1);
    batch.count = 1;
    batch
}

/// A batch reads back as it was made, and each code by its place and by its hash.
pub async fn a_batch_and_its_codes_read_back_as_they_were_made(stores: &Stores) {
    stores.has_account("shop", "5,000").await;
    let mut narrow = coupons("shop", 8, "batch-2");
    narrow.prefix = Some(VoucherPrefix::parse("SALE").expect("a prefix"));
    narrow.terms.rules = VoucherRules {
        services: vec![domain::order::Service::Airtime],
        minimum: Some(kobo(100)),
        maximum: Some(kobo(Money::MAX_MINOR)),
    };
    for batch in [gift_cards("shop", 7, "batch-1"), narrow] {
        assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
        let (account, vouchers) = (&batch.account, &stores.vouchers);
        let read = vouchers.voucher_batch(account, &batch.reference).await;
        assert_eq!(read.expect("read a batch").as_ref(), Some(&batch));
        for id in batch.ids() {
            let expected = Some(Voucher::of(&batch, id.position));
            let by_place = vouchers.voucher(account, id).await;
            assert_eq!(by_place.expect("read a code"), expected);
            let by_hash = vouchers.voucher_of_code(account, voucher_hash(id)).await;
            assert_eq!(by_hash.expect("read a code"), expected);
        }
    }
    assert_eq!(stores.balances("shop").await, (400_000, 0));
    stores.must_be_clean(at(9)).await;
}

/// Where the balance does not cover what the codes hold, nothing of them is stored.
pub async fn codes_that_cannot_be_paid_for_are_not_made(stores: &Stores) {
    stores.has_account("shop", "999.99").await;
    let batch = gift_cards("shop", 7, "batch-1");
    let outcome = made(stores, &batch).await;
    assert_eq!(outcome, CommitOutcome::InsufficientFunds);
    let found = stores.vouchers.voucher(&batch.account, first(&batch)).await;
    assert_eq!(found.expect("read a code"), None);
    assert_eq!(stores.balances("shop").await, (99_999, 0));
    assert_eq!(
        redeem(stores, redeeming(&batch, "use-1", 100)).await,
        refused(VoucherRefusal::Unknown)
    );
    stores.must_be_clean(at(9)).await;
}

/// A reference and a number are used once.
pub async fn a_reference_makes_one_batch_and_redeems_one_code(stores: &Stores) {
    stores.has_account("shop", "5,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let taken = refused(VoucherRefusal::ReferenceTaken);
    assert_eq!(made(stores, &gift_cards("shop", 8, "batch-1")).await, taken);
    assert_eq!(
        made(stores, &gift_cards("shop", 7, "batch-2")).await,
        refused(VoucherRefusal::NumberTaken)
    );
    let once = redeeming(&batch, "use-1", 100);
    assert_eq!(redeem(stores, once.clone()).await, CommitOutcome::Done);
    assert_eq!(redeem(stores, once).await, taken);
    let back = rolling_back(&batch, "back-1", "use-1");
    assert_eq!(roll_back(stores, back.clone()).await, CommitOutcome::Done);
    assert_eq!(roll_back(stores, back).await, taken);
    assert_eq!(stores.balances("shop").await, (400_000, 0));
    stores.must_be_clean(at(9)).await;
}

/// A gift card lowers as many payments as its money does.
pub async fn a_gift_card_is_used_up_in_parts(stores: &Stores) {
    stores.has_account("shop", "1,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (0, 0));
    for (under, minor, left) in [
        ("use-1", 20_000, 30_000),
        ("use-2", 29_999, 1),
        ("use-3", 50_000, 0),
    ] {
        let wanted = redeeming(&batch, under, minor);
        assert_eq!(redeem(stores, wanted).await, CommitOutcome::Done);
        assert_eq!(code(stores, &batch).await.left.balance, kobo(left));
        let made = redemption(stores, under).await.expect("it was made");
        assert_eq!((made.left.balance, made.returned), (kobo(left), kobo(0)));
    }
    let over = refused(VoucherRefusal::NotActive(VoucherStatus::Redeemed));
    assert_eq!(redeem(stores, redeeming(&batch, "use-4", 1)).await, over);
    assert_eq!(stores.balances("shop").await, (50_000, 0));
    stores.must_be_clean(at(9)).await;
}

/// A voucher is used once; what it does not lower a payment by goes back to its merchant.
pub async fn a_voucher_gives_its_rest_back(stores: &Stores) {
    stores.has_account("shop", "500").await;
    let batch = single("batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let wanted = redeeming(&batch, "use-1", 12_345);
    assert_eq!(redeem(stores, wanted).await, CommitOutcome::Done);
    let made = redemption(stores, "use-1").await.expect("it was made");
    assert_eq!((made.discount, made.returned), (kobo(12_345), kobo(37_655)));
    assert_eq!(stores.balances("shop").await, (50_000, 0));
    let back = rolling_back(&batch, "back-1", "use-1");
    assert_eq!(roll_back(stores, back).await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (0, 0));
    assert_eq!(code(stores, &batch).await.left.balance, kobo(50_000));
    stores.must_be_clean(at(9)).await;
}

/// What the merchant itself bears is counted and moves nothing.
pub async fn a_coupon_moves_no_money(stores: &Stores) {
    stores.has_account("shop", "1").await;
    let batch = coupons("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    for (under, left) in [("use-1", 1), ("use-2", 0)] {
        let wanted = redeeming(&batch, under, 10_000);
        assert_eq!(redeem(stores, wanted).await, CommitOutcome::Done);
        assert_eq!(code(stores, &batch).await.left.uses, Some(left));
    }
    let made = redemption(stores, "use-1").await.expect("it was made");
    assert_eq!(made.discount, kobo(1_000));
    let over = refused(VoucherRefusal::NotActive(VoucherStatus::Redeemed));
    assert_eq!(redeem(stores, redeeming(&batch, "use-3", 100)).await, over);
    let back = rolling_back(&batch, "back-1", "use-2");
    assert_eq!(roll_back(stores, back).await, CommitOutcome::Done);
    let again = redeeming(&batch, "use-3", 100);
    assert_eq!(redeem(stores, again).await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (100, 0));
    stores.must_be_clean(at(9)).await;
}

/// One code lowers a payment, and another may once that is rolled back.
pub async fn a_payment_is_lowered_by_one_code(stores: &Stores) {
    stores.has_account("shop", "5,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let of = |under| VoucherRedeeming {
        target: Some(number(42)),
        ..redeeming(&batch, under, 100)
    };
    assert_eq!(redeem(stores, of("use-1")).await, CommitOutcome::Done);
    let taken = refused(VoucherRefusal::TargetTaken);
    assert_eq!(redeem(stores, of("use-2")).await, taken);
    let back = rolling_back(&batch, "back-1", "use-1");
    assert_eq!(roll_back(stores, back).await, CommitOutcome::Done);
    assert_eq!(redeem(stores, of("use-2")).await, CommitOutcome::Done);
    let made = redemption(stores, "use-2").await.expect("it was made");
    assert_eq!(made.target, Some(number(42)));
    stores.must_be_clean(at(9)).await;
}

/// A rollback undoes one redemption, once, and needs the money for it.
pub async fn a_redemption_is_rolled_back_once(stores: &Stores) {
    stores.has_account("shop", "1,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let wanted = redeeming(&batch, "use-1", 20_000);
    assert_eq!(redeem(stores, wanted).await, CommitOutcome::Done);
    let unknown = rolling_back(&batch, "back-1", "use-2");
    assert_eq!(
        roll_back(stores, unknown).await,
        refused(VoucherRefusal::Unknown)
    );
    // The merchant spends what the code gave back.
    let mut spending = single("batch-2");
    spending.number = number(8);
    spending.terms.worth = domain::voucher::VoucherWorth::Amount(kobo(20_000));
    assert_eq!(made(stores, &spending).await, CommitOutcome::Done);
    let back = rolling_back(&batch, "back-1", "use-1");
    let poor = roll_back(stores, back.clone()).await;
    assert_eq!(poor, CommitOutcome::InsufficientFunds);
    assert_eq!(void(stores, &spending, None).await, CommitOutcome::Done);
    assert_eq!(roll_back(stores, back).await, CommitOutcome::Done);
    let account = account_id("shop");
    let under = reference("back-1");
    let found = stores.vouchers.voucher_rolled_back(&account, &under).await;
    let found = found.expect("read a rollback").expect("it is there");
    let rollback = found.rollback.as_ref().expect("it was rolled back");
    assert_eq!(rollback.left.balance, kobo(50_000));
    assert_eq!(redemption(stores, "use-1").await.as_ref(), Some(&found));
    let again = rolling_back(&batch, "back-2", "use-1");
    assert_eq!(
        roll_back(stores, again).await,
        refused(VoucherRefusal::RolledBack)
    );
    stores.must_be_clean(at(9)).await;
}

/// A code is ended from the version that was seen, gives its money back, and stays ended.
pub async fn a_code_is_ended_once_with_its_money(stores: &Stores) {
    stores.has_account("shop", "1,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let wanted = redeeming(&batch, "use-1", 20_000);
    assert_eq!(redeem(stores, wanted).await, CommitOutcome::Done);
    let changed = refused(VoucherRefusal::Changed(2));
    assert_eq!(void(stores, &batch, Some(1)).await, changed);
    assert_eq!(void(stores, &batch, Some(2)).await, CommitOutcome::Done);
    assert_eq!(stores.balances("shop").await, (50_000, 0));
    let ended = code(stores, &batch).await;
    assert_eq!(ended.status(at(4)), VoucherStatus::Void);
    assert_eq!((ended.left.balance, ended.version), (kobo(0), 3));
    // Ended again, by the old version too, nothing changes.
    assert_eq!(void(stores, &batch, Some(1)).await, CommitOutcome::Done);
    assert_eq!(code(stores, &batch).await, ended);
    let is_void = refused(VoucherRefusal::NotActive(VoucherStatus::Void));
    assert_eq!(redeem(stores, redeeming(&batch, "use-2", 1)).await, is_void);
    let back = rolling_back(&batch, "back-1", "use-1");
    assert_eq!(roll_back(stores, back).await, is_void);
    stores.must_be_clean(at(9)).await;
}

/// Codes of one account are not there for another, also under the same numbers and references.
pub async fn codes_belong_to_one_account(stores: &Stores) {
    stores.has_account("shop", "1,000").await;
    stores.has_account("other", "1,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let other = account_id("other");
    let by_hash = stores
        .vouchers
        .voucher_of_code(&other, voucher_hash(first(&batch)));
    assert_eq!(by_hash.await.expect("read a code"), None);
    let foreign = VoucherRedeeming {
        account: other,
        ..redeeming(&batch, "use-1", 100)
    };
    assert_eq!(
        redeem(stores, foreign.clone()).await,
        refused(VoucherRefusal::Unknown)
    );
    let same = gift_cards("other", 7, "batch-1");
    assert_eq!(made(stores, &same).await, CommitOutcome::Done);
    assert_eq!(redeem(stores, foreign).await, CommitOutcome::Done);
    assert_eq!(code(stores, &batch).await.version, 1);
    assert_eq!(stores.balances("shop").await, (0, 0));
    assert_eq!(stores.balances("other").await, (100, 0));
    stores.must_be_clean(at(9)).await;
}

/// An account that is suspended or unknown moves no code.
pub async fn a_suspended_account_moves_no_code(stores: &Stores) {
    stores.has_account("shop", "1,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let shop = account_id("shop");
    let set = stores.accounts.set_status(&shop, AccountStatus::Suspended);
    set.await.expect("suspend an account");
    let wanted = redeeming(&batch, "use-1", 100);
    let suspended = CommitOutcome::AccountSuspended;
    assert_eq!(redeem(stores, wanted).await, suspended);
    let stranger = gift_cards("stranger", 7, "batch-1");
    assert_eq!(made(stores, &stranger).await, CommitOutcome::AccountUnknown);
    stores.must_be_clean(at(9)).await;
}

/// A frozen account makes and takes no code, and ends those it has.
pub async fn a_frozen_account_ends_its_codes_and_makes_none(stores: &Stores) {
    stores.has_account("shop", "1,000").await;
    let batch = gift_cards("shop", 7, "batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let frozen = freeze("shop", FreezeTarget::Account, 1);
    super::freezing::set(stores, &frozen).await;
    let refused = CommitOutcome::Frozen(FreezeBreach::Account(FreezeAuthority::Merchant));
    let wanted = redeeming(&batch, "use-1", 100);
    assert_eq!(redeem(stores, wanted).await, refused);
    let more = gift_cards("shop", 9, "batch-2");
    assert_eq!(made(stores, &more).await, refused);
    assert_eq!(void(stores, &batch, None).await, CommitOutcome::Done);
    stores.must_be_clean(at(9)).await;
}

/// Of many redemptions of a voucher under different references at once, one is made.
pub async fn of_redemptions_of_a_code_at_once_one_is_made(stores: &Stores) {
    stores.has_account("shop", "500").await;
    let batch = single("batch-1");
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let mut at_once = JoinSet::new();
    for nth in 0..64 {
        let wanted = redeeming(&batch, &format!("use-{nth}"), 50_000);
        let stores = stores.clone();
        at_once.spawn(async move { redeem(&stores, wanted).await });
    }
    let outcomes = at_once.join_all().await;
    let done = outcomes.iter().filter(|it| **it == CommitOutcome::Done);
    assert_eq!(done.count(), 1, "{outcomes:?}");
    assert_eq!(stores.balances("shop").await, (50_000, 0));
    stores.must_be_clean(at(9)).await;
}

/// Of many redemptions of a coupon at once as many are made as it may be used.
pub async fn a_coupon_is_never_used_more_often_than_it_may_be(stores: &Stores) {
    stores.has_account("shop", "1").await;
    let mut batch = coupons("shop", 7, "batch-1");
    batch.terms.uses = Some(5);
    assert_eq!(made(stores, &batch).await, CommitOutcome::Done);
    let mut at_once = JoinSet::new();
    for nth in 0..32 {
        let wanted = redeeming(&batch, &format!("use-{nth}"), 10_000);
        let stores = stores.clone();
        at_once.spawn(async move { redeem(&stores, wanted).await });
    }
    let outcomes = at_once.join_all().await;
    let done = outcomes.iter().filter(|it| **it == CommitOutcome::Done);
    assert_eq!(done.count(), 5, "{outcomes:?}");
    assert_eq!(code(stores, &batch).await.left.uses, Some(0));
    stores.must_be_clean(at(9)).await;
}
