//! Rules of collections, over many amounts and numbers.

use super::*;
use crate::bank::BankCode;
use crate::ledger::{LedgerAccount, Transfer};
use crate::money::Currency;
use crate::percent::Percent;
use proptest::prelude::*;

fn naira(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

fn drawn(number: u64) -> TransactionNumber {
    TransactionNumber::try_new(number).unwrap()
}

fn range(prefix: &str) -> VirtualAccountRange {
    let bank = GroupLabel::parse("Wema Bank").unwrap();
    VirtualAccountRange::try_new(bank, BankCode::parse("035").unwrap(), prefix).unwrap()
}

fn invoice(in_parts: bool) -> Collection {
    Collection {
        account: AccountId::parse("shop").unwrap(),
        number: drawn(7),
        reference: MerchantReference::parse("fee-7").unwrap(),
        payer: GroupLabel::parse("Ada Obi").unwrap(),
        kind: CollectionKind::Invoice {
            reference: PaymentReference::drawn(drawn(7)),
            purpose: CollectionPurpose::Fee,
            in_parts,
        },
        amount: Some(naira(500_000)),
        expires_at: Some(Timestamp::from_millis(1_000)),
        admission: CollectionAdmission::Active,
        version: 1,
        created_at: Timestamp::from_millis(0),
    }
}

fn account(amount: Option<Money>, is_single: bool) -> Collection {
    Collection {
        kind: CollectionKind::Account(VirtualAccount {
            bank: range("7").bank().clone(),
            number: range("7").drawn(drawn(7)),
            email: None,
            phone: None,
            identity: None,
            is_single,
        }),
        amount,
        expires_at: None,
        ..invoice(true)
    }
}

/// What was paid in payments of these amounts.
fn paid(collection: &Collection, amounts: &[i64]) -> CollectionState {
    CollectionState {
        collection: collection.clone(),
        paid: CollectionPaid {
            total: naira(amounts.iter().sum()),
            largest: naira(amounts.iter().copied().max().unwrap_or_default()),
            fees: naira(0),
            count: amounts.len() as u64,
        },
    }
}

fn charge(percent: &str, fixed: i64, cap: Option<i64>, vat: &str) -> CollectionCharge {
    CollectionCharge {
        from: Timestamp::from_millis(0),
        percent: Percent::parse(percent).unwrap(),
        fixed: naira(fixed),
        cap: cap.map(naira),
        vat: Percent::parse(vat).unwrap(),
    }
}

const NOW: Timestamp = Timestamp::from_millis(500);
const LATE: Timestamp = Timestamp::from_millis(1_000);

#[test]
fn an_invoice_in_parts_is_paid_by_their_sum() {
    let invoice = invoice(true);
    let status = |amounts: &[i64], now| paid(&invoice, amounts).status(now);
    assert_eq!(status(&[], NOW), CollectionStatus::Open);
    assert_eq!(status(&[499_999], NOW), CollectionStatus::Part);
    assert_eq!(status(&[200_000, 300_000], NOW), CollectionStatus::Paid);
    assert_eq!(status(&[499_999], LATE), CollectionStatus::Expired);
    assert_eq!(status(&[600_000], LATE), CollectionStatus::Paid);
    assert_eq!(paid(&invoice, &[200_000]).due(), Some(naira(300_000)));
    assert_eq!(paid(&invoice, &[600_000]).due(), Some(naira(0)));
}

#[test]
fn an_invoice_that_is_paid_at_once_is_not_paid_by_a_sum() {
    let invoice = invoice(false);
    let halves = paid(&invoice, &[250_000, 250_000]);
    assert_eq!(halves.status(NOW), CollectionStatus::Part);
    assert_eq!(halves.due(), Some(naira(500_000)));
    let whole = paid(&invoice, &[250_000, 500_000]);
    assert_eq!(whole.status(NOW), CollectionStatus::Paid);
    assert_eq!(whole.due(), Some(naira(0)));
}

#[test]
fn an_account_of_any_amount_stays_active_and_one_for_a_payment_is_paid() {
    let open = account(None, false);
    assert_eq!(paid(&open, &[]).status(LATE), CollectionStatus::Active);
    assert_eq!(paid(&open, &[1, 2]).status(LATE), CollectionStatus::Active);
    assert_eq!(paid(&open, &[1]).due(), None);
    let single = account(None, true);
    assert_eq!(paid(&single, &[]).status(NOW), CollectionStatus::Active);
    assert_eq!(paid(&single, &[1]).status(NOW), CollectionStatus::Paid);
    let priced = account(Some(naira(100)), false);
    assert_eq!(paid(&priced, &[99]).status(NOW), CollectionStatus::Part);
    assert_eq!(paid(&priced, &[99]).due(), Some(naira(1)));
    assert_eq!(paid(&priced, &[99, 1]).status(NOW), CollectionStatus::Paid);
}

#[test]
fn what_is_closed_stays_closed_and_is_paid_all_the_same() {
    let invoice = invoice(true);
    let suspended = invoice.after(CollectionStep::Suspend, Some(1)).unwrap();
    assert_eq!(suspended.version, 2);
    assert_eq!(
        paid(&suspended, &[]).status(NOW),
        CollectionStatus::Suspended
    );
    let same = suspended.after(CollectionStep::Suspend, Some(1)).unwrap();
    assert_eq!(same, suspended);
    let stale = suspended.after(CollectionStep::Close, Some(1));
    assert_eq!(stale, Err(CollectionRefusal::Changed(2)));
    let resumed = suspended.after(CollectionStep::Resume, None).unwrap();
    assert_eq!(paid(&resumed, &[]).status(NOW), CollectionStatus::Open);
    let closed = resumed.after(CollectionStep::Close, Some(3)).unwrap();
    assert_eq!(paid(&closed, &[1]).status(NOW), CollectionStatus::Closed);
    assert_eq!(
        paid(&closed, &[500_000]).status(NOW),
        CollectionStatus::Paid
    );
    let again = closed.after(CollectionStep::Resume, None);
    assert_eq!(again, Err(CollectionRefusal::Closed));
    assert_eq!(closed.after(CollectionStep::Close, None).unwrap(), closed);
}

#[test]
fn of_an_identity_the_last_digits_are_kept() {
    let kept = CustomerIdentity::of(IdentityRegister::Nin, "22345678901").unwrap();
    assert_eq!(kept.last, "8901");
    for wrong in ["2234567890", "223456789012", "2234567890a", "２2345678901"] {
        assert_eq!(CustomerIdentity::of(IdentityRegister::Bvn, wrong), None);
    }
}

#[test]
fn charges_are_of_the_rule_in_force_and_capped() {
    let rules = [charge("1.5", 10_000, Some(200_000), "7.5")];
    let charges = CollectionCharges::try_new(rules.to_vec()).unwrap();
    let fee = charges.of(naira(1_000_000), NOW);
    assert_eq!((fee.charge.minor(), fee.vat.minor()), (25_000, 1_875));
    assert_eq!(fee.net(naira(1_000_000)), Some(naira(973_125)));
    let capped = charges.of(naira(100_000_000), NOW);
    assert_eq!(capped.charge, naira(200_000));
    let before = charges.of(naira(1_000_000), Timestamp::from_millis(-1));
    assert_eq!(before, CollectionFee::none(Currency::Ngn));
    let small = charges.of(naira(5_000), NOW);
    assert_eq!((small.charge.minor(), small.vat.minor()), (5_000, 0));
    let twice = [rules.as_slice(), rules.as_slice()].concat();
    let refused = CollectionCharges::try_new(twice);
    assert_eq!(refused, Err(InvalidCollectionCharges::SameDay));
    let below = CollectionCharges::try_new(vec![charge("1", -1, None, "0")]);
    assert_eq!(below, Err(InvalidCollectionCharges::Amount));
}

#[test]
fn numbers_of_a_range_begin_with_its_digits_and_have_a_check_digit() {
    let number = range("774").drawn(drawn(1_000_000 + 12));
    assert!(number.digits().starts_with("774000012"), "{number:?}");
    assert_ne!(number, range("774").drawn(drawn(13)));
    for wrong in ["", "123456", "7a"] {
        let bank = GroupLabel::parse("Wema Bank").unwrap();
        let code = BankCode::parse("035").unwrap();
        assert_eq!(
            VirtualAccountRange::try_new(bank, code, wrong),
            Err(InvalidRange)
        );
    }
}

#[test]
fn a_session_is_kept_to_its_characters() {
    let session = "000013241128120000123456789012";
    assert_eq!(BankSession::parse(session).unwrap().as_str(), session);
    for wrong in ["", "a b", "a/b", &"1".repeat(65)] {
        assert!(BankSession::parse(wrong).is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn a_reference_reads_back_and_one_wrong_digit_is_found(
        number in 1..=TransactionNumber::MAX, place in 0..PaymentReference::DIGITS,
        add in 1..10_u32,
    ) {
        let made = PaymentReference::drawn(drawn(number));
        prop_assert_eq!(PaymentReference::parse(made.as_str()).unwrap(), made.clone());
        let spaced: String = made.as_str().chars().flat_map(|c| [c, ' ']).collect();
        prop_assert_eq!(PaymentReference::parse(&spaced).unwrap(), made.clone());
        let wrong: String = made.as_str().chars().enumerate().map(|(at, c)| {
            let digit = c.to_digit(10).unwrap();
            let digit = if at == place { (digit + add) % 10 } else { digit };
            char::from_digit(digit, 10).unwrap()
        }).collect();
        prop_assert!(PaymentReference::parse(&wrong).is_err(), "{} for {}", wrong, made);
    }

    #[test]
    fn two_digits_that_changed_places_are_found(
        number in 1..=TransactionNumber::MAX, place in 0..PaymentReference::DIGITS - 1,
    ) {
        let made = PaymentReference::drawn(drawn(number));
        let mut digits: Vec<char> = made.as_str().chars().collect();
        digits.swap(place, place + 1);
        let swapped: String = digits.into_iter().collect();
        prop_assert_eq!(
            PaymentReference::parse(&swapped).is_ok(),
            swapped == made.as_str()
        );
    }

    #[test]
    fn a_charge_is_never_more_than_the_payment(
        amount in 1..=Money::MAX_MINOR, percent in 0..=10_000_u32, fixed in 0..1_000_000_i64,
        cap in proptest::option::of(0..1_000_000_i64), vat in 0..=10_000_u32,
    ) {
        let share = |hundredths: u32| format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let rule = charge(&share(percent), fixed, cap, &share(vat));
        let charges = CollectionCharges::try_new(vec![rule]).unwrap();
        let fee = charges.of(naira(amount), NOW);
        let net = fee.net(naira(amount)).unwrap();
        prop_assert!(fee.charge.minor() >= 0 && fee.vat.minor() >= 0 && net.minor() >= 0);
        if let Some(cap) = cap {
            prop_assert!(fee.charge.minor() <= cap);
        }
        let payment = CollectedPayment {
            account: AccountId::parse("shop").unwrap(),
            number: drawn(1),
            collection: drawn(7),
            reference: MerchantReference::parse("fee-7").unwrap(),
            source: CollectionSource::Bank,
            session: BankSession::parse("1").unwrap(),
            amount: naira(amount),
            fee,
            payer: CollectionPayer::default(),
            paid_at: NOW,
            at: NOW,
        };
        let moved: i64 = payment.transfers().iter().map(|it| raises(it, &payment.account)).sum();
        prop_assert_eq!(moved, payment.net().minor());
    }
}

/// By how much a transfer raises what an account can spend, in minor units.
fn raises(transfer: &Transfer, account: &AccountId) -> i64 {
    let available = LedgerAccount::Available(account.clone());
    let sign = i64::from(transfer.credit == available) - i64::from(transfer.debit == available);
    sign * transfer.amount.minor()
}
