//! Records read back as what they were written from, or not at all.
#![cfg(test)]

use domain::order::Order;
use domain::provider::Fulfilment;
use domain::reference::TransactionNumber;

use domain::transaction::{Age, Doubt, InDoubt, State, Transaction};
use key_ring::KeyRing;
use proptest::prelude::*;
use std::error::Error;
use std::time::Duration;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::record::{
    StoredProgress, StoredPurchase, TransactionRow, attempts, state_code, token,
};
use testkit::builders::{
    START, advance, airtime, at, bill, bill_category, cabletv, delivered, electricity, hlr,
    internet, payout, phone, sms,
};
use testkit::strategies::{ArbitraryHistory, drafts, every_state, transactions};

fn row_of(tx: &Transaction) -> TransactionRow {
    let signed = |n: u64| i64::try_from(n).unwrap();
    TransactionRow {
        id: 7,
        number: signed(tx.number.get()),
        account: tx.account.to_string(),
        reference: tx.reference.to_string(),
        idempotency_key: tx.idempotency.as_ref().map(|it| it.key.as_str().to_owned()),
        request_fingerprint: tx.idempotency.as_ref().map(|it| it.fingerprint.0.to_vec()),
        provider: tx.prepared.first().provider.to_string(),
        state: state_code(&tx.state).to_owned(),
        purchase: serde_json::to_string(&StoredPurchase::of(tx)).unwrap(),
        progress: serde_json::to_string(&StoredProgress::of(tx)).unwrap(),
        version: i64::from(tx.version),
        token: None,
        sequence: i64::from(tx.sequence),
        opened_at: tx.opened_at.as_millis(),
        updated_at: tx.updated_at.as_millis(),
        ..TransactionRow::default()
    }
}

fn any_transaction() -> impl Strategy<Value = Transaction> {
    transactions(drafts(testkit::builders::account_id("shop")))
}

/// The error of a row that must not be read, whole.
fn refusal(row: &TransactionRow) -> String {
    let error = row.restore().unwrap_err();
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    format!("{error}: {cause}")
}

#[test]
fn every_kind_of_transaction_reads_back_equal() {
    for history in every_state() {
        assert_eq!(row_of(history.last()).restore().unwrap(), *history.last());
    }
}

/// A transaction in doubt whose "not found" answers are being counted.
fn being_absent() -> Transaction {
    let absent = |tx: &Transaction| match &tx.state {
        State::InDoubt(InDoubt {
            doubt: Doubt::Unanswered { absence, .. },
            ..
        }) => absence.is_some(),
        State::Queued(_)
        | State::InDoubt(_)
        | State::Sending(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => false,
    };
    let histories = every_state();
    let found = histories
        .iter()
        .map(ArbitraryHistory::last)
        .find(|tx| absent(tx));
    found.unwrap().clone()
}

#[test]
fn a_record_of_before_ages_were_counted_counts_from_nothing() {
    let tx = being_absent();
    let mut row = row_of(&tx);
    let mut progress: serde_json::Value = serde_json::from_str(&row.progress).unwrap();
    let state = progress["state"]["in_doubt"].as_object_mut().unwrap();
    state.remove("age_ms").unwrap();
    state.remove("aged_at").unwrap();
    let absence = &mut state["doubt"]["unanswered"]["absence"];
    let age = absence.as_object_mut().unwrap().remove("last_age_ms");
    assert!(age.unwrap().as_u64().unwrap() > 0);
    row.progress = progress.to_string();
    let State::InDoubt(read) = row.restore().unwrap().state else {
        panic!("not in doubt");
    };
    let State::InDoubt(written) = tx.state else {
        panic!("not in doubt");
    };
    assert_eq!(read.age, Age::zero_at(written.started_at));
    let Doubt::Unanswered {
        absence: Some(absence),
        ..
    } = read.doubt
    else {
        panic!("{:?}", read.doubt);
    };
    assert_eq!((absence.sightings, absence.last_age), (1, Duration::ZERO));
}

#[test]
fn a_row_that_breaks_a_rule_is_refused_by_transaction_and_field() {
    let row = row_of(&electricity().number(4711).keyed("key", 1).transaction());
    let check = |change: fn(&mut TransactionRow), field: &str| {
        let mut broken = row.clone();
        change(&mut broken);
        let error = refusal(&broken);
        assert!(error.contains("transaction 4711"), "{error}");
        assert!(error.contains(field), "{error} does not name {field}");
    };
    check(|row| row.account = "no account".into(), "account");
    check(|row| row.reference = String::new(), "reference");
    check(|row| row.provider = "Sandbox".into(), "provider");
    check(|row| row.state = "successful".into(), "state");
    check(|row| row.version = -1, "version");
    check(|row| row.sequence = i64::MAX, "sequence");
    check(
        |row| row.request_fingerprint = Some(vec![1; 31]),
        "request_fingerprint",
    );
    check(|row| row.request_fingerprint = None, "request_fingerprint");
    check(
        |row| row.idempotency_key = Some("é".into()),
        "idempotency_key",
    );
    check(
        |row| row.purchase = row.purchase.replace("04123456789", "12"),
        "number",
    );
    check(
        |row| row.purchase = row.purchase.replace("NGN", "EUR"),
        "debt",
    );
    check(
        |row| row.purchase = row.purchase.replace("209.50", "2e3"),
        "rate",
    );
    check(|row| row.purchase = "{}".into(), "purchase");
    check(
        |row| row.progress = row.progress.replace("\"attempt\":1", "\"attempt\":3"),
        "attempt",
    );
    check(|row| row.progress.truncate(20), "progress");
}

#[test]
fn a_number_outside_its_range_is_refused() {
    let mut row = row_of(&airtime().transaction());
    for number in [0, -1, i64::MAX] {
        row.number = number;
        assert!(refusal(&row).contains("number"));
    }
    row.number = i64::try_from(TransactionNumber::MAX).unwrap();
    row.restore().unwrap();
}

#[test]
fn a_record_of_a_newer_version_is_refused_as_such() {
    let mut row = row_of(&airtime().transaction());
    row.progress = r#"{"v":2,"state":{"moved_on":{}}}"#.into();
    assert!(
        refusal(&row).contains("progress is of version 2"),
        "{}",
        refusal(&row)
    );
    row = row_of(&airtime().transaction());
    row.purchase = row.purchase.replace("\"v\":1", "\"v\":9");
    assert!(
        refusal(&row).contains("purchase is of version 9"),
        "{}",
        refusal(&row)
    );
}

#[test]
fn the_attempts_of_a_transaction_say_what_the_transaction_says() {
    for history in every_state() {
        let tx = history.last();
        let rows: Vec<_> = attempts(tx).collect();
        assert_eq!(rows.len(), tx.attempts().count());
        for (attempt, row) in tx.attempts().zip(&rows) {
            assert_eq!(row.number, attempt.get());
            let reference = tx.provider_reference(attempt);
            assert_eq!(row.provider_reference, reference.as_str());
            assert_eq!(row.evidence.is_some(), row.ended_at.is_some(), "{row:?}");
        }
        let Some((current, earlier)) = rows.split_last() else {
            assert!(["queued", "cancelled", "booked"].contains(&state_code(&tx.state)));
            continue;
        };
        assert!(
            earlier.iter().all(|row| row.state == "disproven"),
            "{rows:?}"
        );
        let expected = match state_code(&tx.state) {
            "successful" => "delivered",
            "failed" => "disproven",
            same => same,
        };
        assert_eq!(current.state, expected);
    }
}

/// A purchase record as it was written before prices had taxes and families beyond two.
const OLD_PURCHASE: &str = r#"{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,
    "network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100000,"NGN"]}},
    "quote":{"amount":[100000,"NGN"],"commission":[3000,"NGN"],"fee":[0,"NGN"],
    "price":[97000,"NGN"],"cost":[96000,"NGN"],"rule":"catalogue:airtime.test"}}"#;

#[test]
fn a_record_of_before_there_were_taxes_reads_as_untaxed() {
    let tx = airtime().transaction();
    let old = StoredPurchase::restore(OLD_PURCHASE).unwrap();
    assert_eq!(old, (tx.order.clone(), tx.quote.clone()));
    let written = serde_json::to_string(&StoredPurchase::of(&tx)).unwrap();
    let old: serde_json::Value = serde_json::from_str(OLD_PURCHASE).unwrap();
    let new: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(old, new, "an untaxed price is written as it always was");
}

#[test]
fn a_bill_of_before_telephones_could_be_given_reads_without_one() {
    let mut tx = bill(bill_category("water")).transaction();
    let old = serde_json::to_string(&StoredPurchase::of(&tx)).unwrap();
    assert!(!old.contains("customer_phone"), "written as it always was");
    assert_eq!(StoredPurchase::restore(&old).unwrap().0, tx.order);
    if let Order::Bill(order) = &mut tx.order {
        order.customer_phone = Some(phone("2348031234567"));
    }
    let new = serde_json::to_string(&StoredPurchase::of(&tx)).unwrap();
    assert!(new.contains(r#""customer_phone":"2348031234567""#), "{new}");
    assert_eq!(StoredPurchase::restore(&new).unwrap().0, tx.order);
}

#[test]
fn a_record_of_a_family_that_breaks_a_rule_is_refused_by_field() {
    let check =
        |purchase: testkit::builders::PurchaseBuilder, from: &str, to: &str, field: &str| {
            let mut row = row_of(&purchase.transaction());
            let broken = row.purchase.replace(from, to);
            assert_ne!(broken, row.purchase, "{from} is not in {}", row.purchase);
            row.purchase = broken;
            let error = refusal(&row);
            assert!(error.contains(field), "{error} does not name {field}");
        };
    check(cabletv(), "0201234567", "02012", "number");
    check(cabletv(), "\"plan\":\"204\"", "\"plan\":\"x\"", "plan");
    check(
        internet(),
        "\"provider\":\"1\"",
        "\"provider\":\"\"",
        "provider",
    );
    check(sms(), "\"parts\":1", "\"parts\":0", "parts");
    check(sms(), "\"parts\":1", "\"parts\":11", "parts");
    check(sms(), "gsm7", "ebcdic", "encoding");
    check(sms(), "100000000001", "1", "sender");
    check(sms(), "CornerShop", "-", "sender_name");
    check(payout(), "0123456789", "012345678", "number");
    check(payout(), "savings", "shoebox", "kind");
    check(payout(), "[188,\"NGN\"]", "[188,\"EUR\"]", "vat");
    check(
        payout(),
        "[5000,\"NGN\"]",
        "[9999999999999999,\"NGN\"]",
        "levy",
    );
    check(hlr(), "\"country\":566", "\"country\":5660", "country");
}

#[test]
fn a_message_with_an_unknown_status_word_is_refused() {
    let tx = sms().transaction();
    let sold = advance(&tx, &delivered(&tx), at(1)).transaction;
    let mut row = row_of(&sold);
    let whole = row.progress.clone();
    for parts in ["[\"beamed\"]", "[]"] {
        row.progress = whole.replace("[\"submitted\"]", parts);
        assert_ne!(row.progress, whole);
        assert!(refusal(&row).contains("parts"), "{}", refusal(&row));
    }
}

proptest! {
    #[test]
    fn any_transaction_reads_back_equal(tx in any_transaction()) {
        prop_assert_eq!(row_of(&tx).restore().unwrap(), tx);
    }

    #[test]
    fn a_damaged_record_is_an_error_or_a_value_but_never_a_panic(
        tx in any_transaction(), at in any::<prop::sample::Index>(), put in "[\\PC]",
    ) {
        let mut row = row_of(&tx);
        for document in [&mut row.purchase, &mut row.progress] {
            let mut chars: Vec<char> = document.chars().collect();
            let index = at.index(chars.len());
            chars.splice(index..=index, put.chars());
            *document = chars.into_iter().collect();
        }
        if let Err(error) = row.restore() {
            let names_it = error.to_string().contains(&tx.number.to_string());
            prop_assert!(names_it, "{}", error);
        }
    }
}

fn cipher(generations: u8) -> FieldCipher {
    let first = KeyRing::generate([1; 32], "");
    let ring = (2..=generations).fold(first, |ring, it| ring.rotated([it; 32], "").unwrap());
    FieldCipher::new(&ring, [generations; 16])
}

/// The row as a store writes it.
fn sealed(tx: &Transaction, cipher: &FieldCipher) -> TransactionRow {
    let purchase = StoredPurchase::stored(tx, cipher).unwrap();
    let progress = StoredProgress::stored(tx, cipher).unwrap();
    TransactionRow {
        purchase: purchase.into_text().unwrap(),
        progress: progress.into_text().unwrap(),
        token: token(tx, cipher).unwrap(),
        ..row_of(tx)
    }
}

#[test]
fn records_that_hold_secrets_are_sealed_in_their_row_and_open_under_an_older_key() {
    for bought in [electricity(), sms(), payout()] {
        let opened = bought.transaction();
        let tx = advance(&opened, &delivered(&opened), START).transaction;
        let row = sealed(&tx, &cipher(1));
        let fields = [Some(&row.purchase), Some(&row.progress), row.token.as_ref()];
        let mut fields = fields.into_iter().flatten();
        assert!(
            fields.all(|field| field.starts_with("sealed:1:")),
            "{row:?}"
        );
        assert_eq!(row.clone().opened(&cipher(3)).restore().unwrap(), tx);
        let copied = TransactionRow {
            account: "thief".into(),
            ..row.clone()
        };
        assert!(refusal(&copied.opened(&cipher(1))).contains("is sealed under"));
        assert!(refusal(&row).contains("is sealed under"));
    }
    let readable = sealed(&airtime().transaction(), &cipher(1));
    assert!(readable.purchase.starts_with('{') && readable.progress.starts_with('{'));
}

#[test]
fn a_token_that_was_erased_is_gone_and_the_rest_stays() {
    let opened = electricity().transaction();
    let tx = advance(&opened, &delivered(&opened), START).transaction;
    let erased = TransactionRow {
        token: None,
        ..sealed(&tx, &cipher(1))
    };
    let read = erased.opened(&cipher(1)).restore().unwrap();
    let State::Successful(delivered) = &read.state else {
        panic!("{read:?}");
    };
    let Fulfilment::Electricity(vend) = &delivered.fulfilment else {
        panic!("{read:?}");
    };
    assert_eq!(vend.token.as_ref().unwrap().number, None);
}
