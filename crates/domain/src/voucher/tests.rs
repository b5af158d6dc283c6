//! What becomes of codes. No step may make money or lose it.

use super::*;
use crate::money::Currency;
use crate::order::Service;
use crate::percent::Percent;
use crate::reference::{MerchantReference, TransactionNumber};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_millis(1_000);
const END: Timestamp = Timestamp::from_millis(5_000);

fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

fn terms(kind: VoucherKind, worth: VoucherWorth, uses: Option<u32>) -> VoucherTerms {
    VoucherTerms {
        kind,
        worth,
        currency: Currency::Ngn,
        uses,
        expires_at: END,
        rules: VoucherRules::default(),
    }
}

fn batch(terms: VoucherTerms) -> VoucherBatch {
    VoucherBatch {
        account: AccountId::parse("shop").unwrap(),
        number: TransactionNumber::try_new(77).unwrap(),
        reference: MerchantReference::parse("batch-1").unwrap(),
        terms,
        count: 3,
        prefix: None,
        seed: VoucherSeed([7; 32]),
        created_at: NOW,
    }
}

fn gift_card(minor: i64) -> Voucher {
    let worth = VoucherWorth::Amount(naira(minor));
    Voucher::of(&batch(terms(VoucherKind::GiftCard, worth, None)), 1)
}

fn once(minor: i64) -> Voucher {
    let worth = VoucherWorth::Amount(naira(minor));
    Voucher::of(&batch(terms(VoucherKind::Voucher, worth, Some(1))), 1)
}

fn promo(percent: &str, uses: u32) -> Voucher {
    let worth = VoucherWorth::Percent(Percent::parse(percent).unwrap());
    Voucher::of(&batch(terms(VoucherKind::Promo, worth, Some(uses))), 1)
}

fn redemption(used: &VoucherUse, amount: Money) -> VoucherRedemption {
    VoucherRedemption {
        account: used.voucher.account.clone(),
        reference: MerchantReference::parse("use-1").unwrap(),
        voucher: used.voucher.id,
        amount,
        target: None,
        discount: used.discount,
        returned: used.returned,
        left: used.voucher.left,
        at: NOW,
        rollback: None,
    }
}

#[test]
fn a_voucher_is_redeemed_at_once_and_gives_the_rest_back() {
    let used = once(50_000).redeemed(naira(30_000), NOW).unwrap();
    assert_eq!(
        (used.discount, used.returned),
        (naira(30_000), naira(20_000))
    );
    assert_eq!(used.voucher.status(NOW), VoucherStatus::Redeemed);
    let again = used.voucher.redeemed(naira(1), NOW);
    assert_eq!(
        again,
        Err(VoucherRefusal::NotActive(VoucherStatus::Redeemed))
    );
    let more = once(50_000).redeemed(naira(80_000), NOW).unwrap();
    assert_eq!((more.discount, more.returned), (naira(50_000), naira(0)));
}

#[test]
fn a_percentage_is_rounded_down_and_must_come_to_something() {
    let off = |amount| promo("2.5", 5).discount(naira(amount));
    assert_eq!(off(10_000), Ok(naira(250)));
    assert_eq!(off(119), Ok(naira(2)));
    assert_eq!(off(39), Err(VoucherRefusal::NothingOff));
    let credits = Money::from_minor(10_000, Currency::Crd);
    let other = promo("2.5", 5).discount(credits);
    assert_eq!(other, Err(VoucherRefusal::OtherCurrency));
}

#[test]
fn what_is_void_or_expired_is_not_redeemed_and_void_comes_first() {
    let refused = |status| Err(VoucherRefusal::NotActive(status));
    let card = gift_card(50_000);
    assert_eq!(
        card.redeemed(naira(1), END),
        refused(VoucherStatus::Expired)
    );
    let ended = card.voided(Some(1), NOW).unwrap();
    assert_eq!(ended.left.balance, naira(0));
    assert_eq!(ended.redeemed(naira(1), END), refused(VoucherStatus::Void));
    assert_eq!(ended.voided(Some(1), END), Ok(ended.clone()));
    let seen = card.voided(Some(9), NOW);
    assert_eq!(seen, Err(VoucherRefusal::Changed(1)));
    // An expired code is voided too: that is how its money comes back.
    assert_eq!(card.voided(None, END).unwrap().left.balance, naira(0));
}

#[test]
fn a_rollback_gives_back_what_was_taken_once_and_never_to_a_void_code() {
    let used = once(50_000).redeemed(naira(30_000), NOW).unwrap();
    let mut made = redemption(&used, naira(30_000));
    let back = used.voucher.restored(&made).unwrap();
    assert_eq!(back.left, once(50_000).left);
    assert_eq!(back.version, 3);
    let ended = used.voucher.voided(None, NOW).unwrap();
    let void = VoucherRefusal::NotActive(VoucherStatus::Void);
    assert_eq!(ended.restored(&made), Err(void));
    made.rollback = Some(VoucherRollback {
        reference: MerchantReference::parse("back-1").unwrap(),
        reason: "Returned".to_owned(),
        left: back.left,
        at: NOW,
    });
    let again = used.voucher.restored(&made);
    assert_eq!(again, Err(VoucherRefusal::RolledBack));
}

#[test]
fn rules_bound_the_amount_and_the_service() {
    let rules = VoucherRules {
        services: vec![Service::Airtime],
        minimum: Some(naira(100)),
        maximum: Some(naira(200)),
    };
    assert_eq!(rules.check(naira(100)), Ok(()));
    assert_eq!(rules.check(naira(200)), Ok(()));
    let low = VoucherRefusal::BelowMinimum(naira(100));
    assert_eq!(rules.check(naira(99)), Err(low));
    let high = VoucherRefusal::AboveMaximum(naira(200));
    assert_eq!(rules.check(naira(201)), Err(high));
    assert!(rules.allow(Service::Airtime) && !rules.allow(Service::Bank));
    assert!(VoucherRules::default().allow(Service::Bank));
}

#[test]
fn terms_that_do_not_go_together_are_refused() {
    use InvalidVoucherTerms::{
        PercentOfMoney, PercentOutOfRange, RulesContradict, UsedOnce, UsedUp, UsesNeeded,
        UsesOutOfRange,
    };
    use VoucherKind::{Coupon, GiftCard, Promo};
    for (kind, wanted, expected) in [
        (VoucherKind::Voucher, None, Ok(Some(1))),
        (VoucherKind::Voucher, Some(2), Err(UsedOnce)),
        (GiftCard, None, Ok(None)),
        (GiftCard, Some(1), Err(UsedUp)),
        (Coupon, None, Ok(Some(1))),
        (Coupon, Some(3), Ok(Some(3))),
        (Coupon, Some(0), Err(UsesOutOfRange)),
        (Promo, None, Err(UsesNeeded)),
        (Promo, Some(1_000_001), Err(UsesOutOfRange)),
    ] {
        assert_eq!(kind.uses(wanted), expected, "{kind:?} {wanted:?}");
    }
    let share = |text| VoucherWorth::Percent(Percent::parse(text).unwrap());
    let percent = terms(GiftCard, share("10"), None);
    assert_eq!(percent.check(), Err(PercentOfMoney));
    let nothing = terms(Coupon, share("0"), Some(1));
    assert_eq!(nothing.check(), Err(PercentOutOfRange));
    let mut contradicting = terms(Coupon, share("10"), Some(1));
    contradicting.rules.minimum = Some(naira(2));
    contradicting.rules.maximum = Some(naira(1));
    assert_eq!(contradicting.check(), Err(RulesContradict));
}

#[test]
fn an_identifier_is_read_as_it_is_shown_and_in_no_other_way() {
    let id = VoucherId::parse("77-1000").unwrap();
    assert_eq!((id.batch.get(), id.position), (77, 1000));
    for text in [
        "", "77", "77-0", "77-1001", "077-1", "77-01", "+77-1", "77-1-1", "-1",
    ] {
        assert_eq!(VoucherId::parse(text), None, "{text}");
    }
}

/// Which money goes where: what a step does to the balance of the code and to the wallet.
fn gained(transfers: &[crate::ledger::Transfer]) -> i64 {
    use crate::ledger::LedgerAccount;
    let sign = |account: &LedgerAccount| i64::from(matches!(account, LedgerAccount::Vouchers(_)));
    let gains = transfers
        .iter()
        .map(|moved| (sign(&moved.credit) - sign(&moved.debit)) * moved.amount.minor());
    gains.sum()
}

proptest! {
    #[test]
    fn a_discount_is_never_more_than_the_amount_or_what_the_code_is_worth(
        amount in 1_i64..=Money::MAX_MINOR, worth in 1_i64..=Money::MAX_MINOR,
        basis_points in 1_i64..=10_000,
    ) {
        let percent = Percent::try_new(rust_decimal::Decimal::new(basis_points, 2)).unwrap();
        let share = VoucherWorth::Percent(percent).off(naira(amount)).unwrap().minor();
        let exact = i128::from(amount) * i128::from(basis_points);
        prop_assert_eq!(i128::from(share), exact / 10_000);
        prop_assert!(share <= amount);
        let fixed = VoucherWorth::Amount(naira(worth)).off(naira(amount)).unwrap();
        prop_assert_eq!(fixed, naira(worth.min(amount)));
        let card = gift_card(worth).discount(naira(amount)).unwrap();
        prop_assert_eq!(card, naira(worth.min(amount)));
    }

    #[test]
    fn the_money_of_a_code_is_what_its_transfers_leave(
        worth in 1_i64..100_000, is_once in any::<bool>(),
        steps in proptest::collection::vec((0_u8..4, 1_i64..60_000), 1..20),
    ) {
        let mut code = if is_once { once(worth) } else { gift_card(worth) };
        let mut booked = worth;
        let mut made: Vec<VoucherRedemption> = Vec::new();
        for (step, amount) in steps {
            let (transfers, next) = match step {
                0 => {
                    let transfers = code.returning(NOW);
                    (transfers.into_iter().collect(), code.voided(None, NOW).unwrap())
                }
                1 => {
                    let Some(last) = made.pop() else { continue };
                    let Ok(next) = code.restored(&last) else { continue };
                    (last.restoring(&code, NOW).into_iter().collect(), next)
                }
                2 | 3 => {
                    let Ok(used) = code.redeemed(naira(amount), NOW) else { continue };
                    let redeemed = redemption(&used, naira(amount));
                    let transfers = redeemed.transfers(&used.voucher);
                    made.push(redeemed);
                    (transfers, used.voucher)
                }
                _ => continue,
            };
            booked += gained(&transfers);
            code = next;
            prop_assert_eq!(code.left.balance.minor(), booked);
            prop_assert!((0..=worth).contains(&booked));
        }
    }

    #[test]
    fn a_counted_code_is_used_as_often_as_it_may_be(uses in 1_u32..20) {
        let mut code = promo("10", uses);
        for _ in 0..uses {
            code = code.redeemed(naira(1_000), NOW).unwrap().voucher;
        }
        prop_assert_eq!(code.status(NOW), VoucherStatus::Redeemed);
        prop_assert!(code.redeemed(naira(1_000), NOW).is_err());
    }
}
