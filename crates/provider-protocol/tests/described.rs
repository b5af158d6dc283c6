//! `docs/provider-protocol/openapi.json` describes the documents that are really made: every order
//! and receipt, every answer, and the capabilities.
#![cfg(test)]

use boon::{Compiler, Draft, Schemas};
use domain::bank::{AccountKind, BankAccount};
use domain::country::CountryCode;
use domain::float::{
    ProviderBalance, ProviderStatementLine, ProviderStatementPage, StatedOutcome, StatementCursor,
};
use domain::international::{AmountAsked, QuoteRequest};
use domain::listed_offer::ListedOffer;
use domain::messaging::{IncomingContent, MessageChannel};
use domain::mobile_money::{MobileWallet, MobileWalletStatus};
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::paid_lookup::LookupCategory;
use domain::phone::{ServedNumber, ServingOperator};
use domain::provider::{ProviderTransactionId, Refusal, RefusalKind};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use proptest::prelude::*;
use provider_protocol::{
    AttemptAnswer, AttemptCallback, AttemptChanges, AttemptRequest, AttemptState, BalanceDocument,
    BalancesDocument, BankAccountDocument, Capabilities, CardLookup, CatalogueDocument,
    LookupAnswer, MessageCallback, MeterDocument, MobileWalletDocument, OperatorLookup,
    PaymentCardDocument, ProtocolFault, QuoteDocument, QuoteLookup, RefusalDocument,
    ServedNumberDocument, StatementDocument, WalletLookup, expired, read, sealed, write,
    write_receipt,
};
use serde::Serialize;
use serde_json::Value;
use std::sync::OnceLock;
use testkit::builders::{
    bank_account, bill, bill_category, fulfilment, lookup_definition, mobile_wallet, payment_card,
    phone, provider_quote,
};
use testkit::strategies::{delivered_orders, meters};

const DOCUMENT: &str = include_str!("../../../docs/provider-protocol/openapi.json");
const AT: Timestamp = Timestamp::from_millis(1_768_467_660_000);

fn description() -> &'static Value {
    static READ: OnceLock<Value> = OnceLock::new();
    READ.get_or_init(|| serde_json::from_str(DOCUMENT).unwrap())
}

/// What is wrong with a document, by the schema of this name.
fn wrong(name: &str, document: &impl Serialize) -> Option<String> {
    let mut schemas = Schemas::new();
    let mut compiler = Compiler::new();
    compiler.set_default_draft(Draft::V2020_12);
    let place = "http://example.test/openapi.json";
    compiler.add_resource(place, description().clone()).unwrap();
    let at = format!("{place}#/components/schemas/{name}");
    let schema = compiler.compile(&at, &mut schemas).unwrap();
    // As it goes over the wire.
    let value: Value = serde_json::from_slice(&write(document).unwrap()).unwrap();
    let checked = schemas.validate(&value, schema);
    checked.err().map(|error| format!("{error}\n{value:#}"))
}

fn is(name: &str, document: &impl Serialize) {
    if let Some(wrong) = wrong(name, document) {
        panic!("not a {name}: {wrong}");
    }
}

fn reference() -> ProviderReference {
    ProviderReference::from_echo("dmqguf3gee5mfizwty4aq4u6f7iiphkr")
}

fn answer(order: &Order, state: AttemptState) -> AttemptAnswer {
    let mut answer = AttemptAnswer::new(&reference(), state, AT);
    answer.service = Some(order.service().code().to_owned());
    answer.amount = Some(order.amount().into());
    answer.beneficiary = Some(order.digits().to_owned());
    answer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn requests_and_answers_are_as_described(order in delivered_orders()) {
        is("AttemptRequest", &AttemptRequest::new(&reference(), &order, AT).unwrap());
        let mut delivered = answer(&order, AttemptState::Delivered);
        delivered.receipt = write_receipt(&fulfilment(&order)).unwrap();
        delivered.cost = Some(order.amount().into());
        is("Attempt", &delivered);
        is("Attempt", &answer(&order, AttemptState::Pending));
        is("Attempt", &answer(&order, AttemptState::Reversed));
        let attempts = vec![delivered];
        is("Changes", &AttemptChanges { attempts, next: 1 });
    }

    #[test]
    fn meters_are_as_described(meter in meters()) {
        let customer = MeterDocument::from(&meter);
        is("MeterFound", &LookupAnswer::Found { customer });
    }
}

#[test]
fn wallets_are_as_described() {
    for status in MobileWalletStatus::ALL {
        let wallet = MobileWallet {
            status,
            ..mobile_wallet("901", "2348031234567")
        };
        is(
            "WalletLookup",
            &WalletLookup::new(&wallet.operator, &wallet.number),
        );
        let customer = MobileWalletDocument::from(&wallet);
        is("WalletFound", &LookupAnswer::Found { customer });
        let read = MobileWalletDocument::from(&wallet).wallet();
        assert_eq!(read, Ok(wallet));
    }
    let unknown = LookupAnswer::<MobileWalletDocument>::Unknown;
    is("WalletFound", &unknown);
}

#[test]
fn quotes_of_transfers_abroad_are_as_described() {
    let quote = provider_quote();
    for amount in [
        AmountAsked::Source(quote.source),
        AmountAsked::Destination(quote.destination),
    ] {
        let asked = QuoteRequest {
            country: CountryCode::parse("288").unwrap(),
            currency: quote.destination.currency(),
            amount,
        };
        let question = QuoteLookup::from(&asked);
        is("QuoteLookup", &question);
        assert_eq!(question.request(), Ok(asked));
    }
    let customer = QuoteDocument::from(&quote);
    is("QuoteFound", &LookupAnswer::Found { customer });
    let read = QuoteDocument::from(&quote).quote(quote.provider.clone());
    assert_eq!(read, Ok(quote));
    is("QuoteFound", &LookupAnswer::<QuoteDocument>::Unknown);
}

#[test]
fn cards_are_as_described() {
    let card = payment_card("tok_visa_6789");
    is("CardLookup", &CardLookup::new(&card.token));
    let customer = PaymentCardDocument::from(&card);
    is("CardFound", &LookupAnswer::Found { customer });
    assert_eq!(PaymentCardDocument::from(&card).card(), Ok(card));
    let unknown = LookupAnswer::<PaymentCardDocument>::Unknown;
    is("CardFound", &unknown);
}

#[test]
fn balances_and_statements_are_as_described() {
    let naira = |minor| Money::from_minor(minor, Currency::Ngn);
    let balance = ProviderBalance {
        available: naira(-5),
        held: Some(naira(7)),
        at: AT,
    };
    let balances = vec![BalanceDocument::from(&balance)];
    is("Balances", &BalancesDocument { balances });
    let line = |outcome| ProviderStatementLine {
        reference: Some(reference()),
        id: ProviderTransactionId::parse("P-1"),
        amount: naira(100),
        cost: (outcome == StatedOutcome::Delivered).then(|| naira(97)),
        outcome,
        at: AT,
    };
    let page = ProviderStatementPage {
        lines: StatedOutcome::ALL.map(line).to_vec(),
        next: StatementCursor::parse("5").ok(),
    };
    is("Statement", &StatementDocument::from(&page));
    let end = ProviderStatementPage { next: None, ..page };
    is("Statement", &StatementDocument::from(&end));
}

#[test]
fn a_catalogue_is_as_described() {
    let naira = |minor| Some(Money::from_minor(minor, Currency::Ngn));
    let plan = ListedOffer {
        product: "internet.301".to_owned(),
        code: "mtn-2gb".to_owned(),
        name: "2GB".to_owned(),
        amount: naira(150_000),
        minimum: None,
        maximum: None,
        available: true,
        lookup: None,
    };
    let any = ListedOffer {
        amount: None,
        minimum: naira(5_000),
        maximum: naira(5_000_000),
        available: false,
        lookup: None,
        ..plan.clone()
    };
    let both = ListedOffer {
        amount: naira(1),
        ..any.clone()
    };
    let free = ListedOffer {
        amount: naira(0),
        ..plan.clone()
    };
    let page = |offers: &[ListedOffer]| CatalogueDocument::of(Service::Internet, offers, Some(2));
    let fixed = plan.clone();
    is("Catalogue", &page(&[plan, any]));
    for refused in [both, free] {
        assert!(wrong("Catalogue", &page(&[refused])).is_some());
    }
    let lookup = lookup_definition(LookupCategory::Record);
    let sold = ListedOffer {
        product: format!("lookup.{}", lookup.code),
        lookup: Some(lookup),
        ..fixed
    };
    let service = Service::Lookup(LookupCategory::Record);
    is("Catalogue", &CatalogueDocument::of(service, &[sold], None));
    let order = testkit::builders::purchase_of(Service::Internet).order();
    let request = AttemptRequest::new(&reference(), &order, AT).unwrap();
    let offer = Some("mtn-2gb".to_owned());
    is("AttemptRequest", &AttemptRequest { offer, ..request });
}

#[test]
fn refusals_absence_and_errors_are_as_described() {
    let refused = |refusal: &Refusal| {
        let mut answer = AttemptAnswer::new(&reference(), AttemptState::Declined, AT);
        answer.refusal = Some(RefusalDocument::from(refusal));
        answer
    };
    let retry_after = Some(std::time::Duration::from_secs(30));
    let kinds = [
        RefusalKind::Order,
        RefusalKind::Account,
        RefusalKind::Moment { retry_after },
        RefusalKind::Lookalike,
    ];
    for kind in kinds {
        let (code, reason) = ("51".to_owned(), "no".to_owned());
        is("Attempt", &refused(&Refusal { kind, code, reason }));
    }
    is("Attempt", &refused(&sealed()));
    is("Attempt", &refused(&expired()));
    is(
        "Attempt",
        &AttemptAnswer::new(&reference(), AttemptState::Absent, AT),
    );
    is("MeterFound", &LookupAnswer::<MeterDocument>::Unknown);
    is("MeterFound", &LookupAnswer::<MeterDocument>::Unreachable);
    for fault in ProtocolFault::ALL {
        is("Error", &fault.document("what to do"));
    }
    let account = BankAccount {
        kind: AccountKind::Savings,
        ..bank_account("00000000014", "0123456789")
    };
    let customer = BankAccountDocument::from(&account);
    is("AccountFound", &LookupAnswer::Found { customer });
}

#[test]
fn who_serves_a_number_is_as_described() {
    let number = phone("2348031234567");
    let asked = OperatorLookup::new(&number, CountryCode::NIGERIA);
    is("OperatorLookup", &asked);
    for operator in [
        ServingOperator::Named("airtel".to_owned()),
        ServingOperator::PortedElsewhere,
    ] {
        let number = number.clone();
        let customer = ServedNumberDocument::from(&ServedNumber { number, operator });
        is("OperatorFound", &LookupAnswer::Found { customer });
    }
    let unknown = LookupAnswer::<ServedNumberDocument>::Unknown;
    is("OperatorFound", &unknown);
}

#[test]
fn capabilities_are_as_described() {
    let text = include_bytes!("vectors/capabilities.json");
    let capabilities: Capabilities = read(text).unwrap();
    is("Capabilities", &capabilities);
}

/// The description is no formality: what breaks the protocol breaks it.
#[test]
fn what_is_not_of_the_protocol_is_not_as_described() {
    let order = testkit::builders::purchase_of(Service::Electricity).order();
    let request = AttemptRequest::new(&reference(), &order, AT).unwrap();
    let good: Value = serde_json::from_slice(&write(&request).unwrap()).unwrap();
    assert_eq!(wrong("AttemptRequest", &good), None);
    for (pointer, value) in [
        ("/amount/minor", Value::from(1.5)),
        ("/order/tariff/rate", Value::from(209)),
        ("/order/billing", Value::from("both")),
        ("/reference", Value::from("a b")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        assert!(wrong("AttemptRequest", &bad).is_some(), "{pointer}");
    }
    let mut order = bill(bill_category("water")).order();
    if let Order::Bill(order) = &mut order {
        order.customer_phone = Some(phone("2348031234567"));
    }
    let request = AttemptRequest::new(&reference(), &order, AT).unwrap();
    let mut bad: Value = serde_json::from_slice(&write(&request).unwrap()).unwrap();
    assert_eq!(wrong("AttemptRequest", &bad), None);
    *bad.pointer_mut("/order/customerPhone").unwrap() = Value::from("0803");
    assert!(wrong("AttemptRequest", &bad).is_some());
    let without_echo = AttemptAnswer::new(&reference(), AttemptState::Delivered, AT);
    assert!(wrong("Attempt", &without_echo).is_some());
    let without_refusal = AttemptAnswer::new(&reference(), AttemptState::Declined, AT);
    assert!(wrong("Attempt", &without_refusal).is_some());
}

#[test]
fn a_callback_is_described() {
    is(
        "AttemptCallback",
        &AttemptCallback::changed(reference().as_str()),
    );
}

#[test]
fn a_callback_with_a_message_of_a_person_is_described() {
    let vector = include_str!("vectors/message.json");
    let callback: MessageCallback = read(vector.as_bytes()).unwrap();
    is("MessageCallback", &callback);
    let (mut message, reference) = callback.data.message().unwrap();
    is(
        "MessageCallback",
        &MessageCallback::received(&message, reference.as_ref()),
    );
    message.channel = MessageChannel::Sms;
    let text = IncomingContent::new(MessageChannel::Sms, Some("Hi"), None);
    message.content = text.unwrap();
    let least = MessageCallback::received(&message, None);
    is("MessageCallback", &least);
    let mut nothing: Value = serde_json::from_slice(&write(&least).unwrap()).unwrap();
    nothing["data"].as_object_mut().unwrap().remove("content");
    assert!(wrong("MessageCallback", &nothing).is_some());
}
