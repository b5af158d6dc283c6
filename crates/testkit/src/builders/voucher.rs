//! Codes in few words.

use super::{account_id, at, kobo, number, reference};
use domain::change_set::ChangeSet;
use domain::money::Currency;
use domain::percent::Percent;
use domain::reference::TransactionNumber;
use domain::voucher::{
    Voucher, VoucherBatch, VoucherCodeHash, VoucherId, VoucherIssue, VoucherKind, VoucherLeft,
    VoucherRedeeming, VoucherRedemption, VoucherRollingBack, VoucherRules, VoucherSeed,
    VoucherStep, VoucherTerms, VoucherVoiding, VoucherWorth,
};
use std::time::Duration;

/// Two gift cards of 500.00 that an account called `account` made, valid for a day.
pub fn gift_cards(account: &str, number: u64, under: &str) -> VoucherBatch {
    VoucherBatch {
        account: account_id(account),
        number: TransactionNumber::try_new(number).expect("a number"),
        reference: reference(under),
        terms: VoucherTerms {
            kind: VoucherKind::GiftCard,
            worth: VoucherWorth::Amount(kobo(50_000)),
            currency: Currency::Ngn,
            uses: None,
            expires_at: at(0).plus(Duration::from_hours(24)),
            rules: VoucherRules::default(),
        },
        count: 2,
        prefix: None,
        seed: VoucherSeed([7; 32]),
        created_at: at(0),
    }
}

/// Two coupons of 10 % that can be used twice each.
pub fn coupons(account: &str, number: u64, under: &str) -> VoucherBatch {
    let mut batch = gift_cards(account, number, under);
    batch.terms.kind = VoucherKind::Coupon;
    batch.terms.worth = VoucherWorth::Percent(Percent::parse("10").expect("a percentage"));
    batch.terms.uses = Some(2);
    batch
}

/// The codes of a batch, with hashes that say which they are.
pub fn issue(batch: &VoucherBatch) -> VoucherIssue {
    let hashes = batch.ids().map(voucher_hash);
    VoucherIssue {
        hashes: hashes.collect(),
        batch: batch.clone(),
    }
}

/// The hash of a code of [`issue`].
pub fn voucher_hash(id: VoucherId) -> VoucherCodeHash {
    let mut hash = [0; 32];
    let said = id.to_string();
    for (place, byte) in hash.iter_mut().zip(said.bytes()) {
        *place = byte;
    }
    VoucherCodeHash(hash)
}

/// What may become of codes: two vouchers of 500.00, one of which lowers a payment, is rolled back
/// and redeemed again for 123.45, and is ended at last; and two coupons, one of which is used.
pub fn voucher_steps(account: &str) -> Vec<ChangeSet> {
    let mut batch = gift_cards(account, 7, "vouchers-1");
    batch.terms.kind = VoucherKind::Voucher;
    batch.terms.uses = Some(1);
    let counted = coupons(account, 8, "coupons-1");
    let redeem = |of: &VoucherBatch, under: &str, minor: i64| {
        VoucherStep::Redeem(VoucherRedeeming {
            account: of.account.clone(),
            reference: reference(under),
            voucher: Voucher::of(of, 1).id,
            amount: kobo(minor),
            target: Some(number(42)).filter(|_| minor == 20_000),
            at: at(1),
        })
    };
    let back = VoucherStep::RollBack(VoucherRollingBack {
        account: batch.account.clone(),
        reference: reference("back-1"),
        original: reference("use-1"),
        voucher: Voucher::of(&batch, 1).id,
        currency: Currency::Ngn,
        reason: "Returned".to_owned(),
        at: at(2),
    });
    let void = VoucherStep::Void(VoucherVoiding {
        account: batch.account.clone(),
        voucher: Voucher::of(&batch, 2).id,
        currency: Currency::Ngn,
        seen: None,
        reason: "Lost".to_owned(),
        at: at(3),
    });
    let steps = [
        VoucherStep::Issue(issue(&batch)),
        VoucherStep::Issue(issue(&counted)),
        redeem(&batch, "use-1", 20_000),
        back,
        redeem(&batch, "use-2", 12_345),
        redeem(&counted, "use-3", 10_000),
        redeem(&counted, "use-4", 20_000),
        void,
    ];
    let change = |step| ChangeSet::Voucher(Box::new(step));
    steps.into_iter().map(change).collect()
}

/// A gift card of 500.00 as it was made.
pub fn gift_card(account: &str) -> Voucher {
    Voucher::of(&gift_cards(account, 7, "batch-1"), 1)
}

/// 200.00 of a gift card of 500.00.
pub fn voucher_redemption(account: &str, under: &str) -> VoucherRedemption {
    let card = gift_card(account);
    VoucherRedemption {
        account: card.account,
        reference: reference(under),
        voucher: card.id,
        amount: kobo(20_000),
        target: None,
        discount: kobo(20_000),
        returned: kobo(0),
        left: VoucherLeft {
            balance: kobo(30_000),
            uses: None,
        },
        at: at(1),
        rollback: None,
    }
}
