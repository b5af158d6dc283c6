//! Is each operation as it is described? Asked of the operation itself: which attributes it knows,
//! which it needs, and what it says to the examples. What its answers look like is checked wherever
//! one is received.

use domain::bill::BillCategory;
use http_server::Verb;
use interface_docs::{
    AccessRule, DocumentedRequest, Interface, Operation, Parameter, ParameterNeed,
};
use reqwest::header::HeaderName;
use reqwest::{Method, RequestBuilder};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use tests::answer::HttpAnswer;
use tests::bookings::half_hour;
use tests::document;
use tests::folder::{GatewayFolder, OPEN};
use tests::merchant::{TestMerchant, in_a_month, send, today};
use tests::orders;
use tests::process::GatewayProcess;

/// Where every attribute there is is written down.
const ATTRIBUTES: &str = include_str!("../../../crates/wire/src/attribute.rs");

const STRICT: (HeaderName, &str) = (HeaderName::from_static("prefer"), "handling=strict");

/// The answer to an unknown attribute.
const UNKNOWN: &str = "is not an attribute of this request; leave it out";

/// The quotes in the examples of transfers abroad.
const EXAMPLE_QUOTE: &str = "qte_AAAACHNhbmRib3gx";
const EXAMPLE_QUOTE_TO_GERMANY: &str = "qte_AAAACHNhbmRib3gy";

/// The serial number in the examples of messages. It is not in use: serial numbers are given out,
/// so a reader of an example puts their own in its place.
const EXAMPLE_SENDER: &str = "482913560177";

/// The address, the endpoint and the event in the examples of webhooks: not in use either.
const EXAMPLE_URL: &str = "https://example.com/manilla/events";
const EXAMPLE_ENDPOINT: &str = "5071922640871";
const EXAMPLE_EVENT: &str = "evt_7213340015_2";

/// The pay day in the examples of payroll: it is over.
const EXAMPLE_PAY_DATE: &str = "27-11-2026";

/// The number in the examples of groups: not in use either.
const EXAMPLE_GROUP: &str = "7213340021";
/// Those in the examples of templates and flows: likewise.
const EXAMPLE_TEMPLATE: &str = "7213340060";
const EXAMPLE_FLOW: &str = "7213340061";
/// The number and the first run in the examples of subscriptions: likewise.
const EXAMPLE_SUBSCRIPTION: &str = "7213340031";
const EXAMPLE_START: &str = "31-01-2026 09:00:00";
const EXAMPLE_KEY: &str = "00c3a5d97b21f04e";
const EXAMPLE_USER: &str = "7213340022";
const EXAMPLE_CODE: &str = "K7QX2-9MBTD";
const EXAMPLE_ALLOWED: &str = "7b21f04e00c3a5d9";

/// The reference of a payment that waits for an approval: it was decided of long ago.
const EXAMPLE_WAITING: &str = "waits-1";
/// The code in the examples of vouchers, and its identifier: likewise.
const EXAMPLE_VOUCHER_CODE: &str = "01234-56789-ABCDE-FGHJT";
const EXAMPLE_VOUCHER: &str = "7213340023-1";
const EXAMPLE_COLLECTION: &str = "7213340024";
const EXAMPLE_INVOICE: &str = "7213340041";
const EXAMPLE_BOOKABLE: &str = "7213340050";
const EXAMPLE_APPOINTMENT: &str = "7213340051";
const EXAMPLE_APPOINTMENT_START: &str = "2029-12-31T09:00:00Z";
const EXAMPLE_RUN: &str = "5071922640870";

struct Bench {
    merchant: TestMerchant,
    _server: GatewayProcess,
    _folder: GatewayFolder,
}

fn bench() -> Bench {
    let folder = GatewayFolder::with(OPEN);
    let account = folder.account("Described", "1000000.00");
    let server = GatewayProcess::start(&folder);
    Bench {
        merchant: TestMerchant::new(&folder, server.address(), &account).beside_operator(&folder),
        _server: server,
        _folder: folder,
    }
}

fn for_merchants(interface: &Interface) -> Vec<&Operation> {
    let operations = interface.operations().map(|(_, operation)| operation);
    let operations = operations.filter(|operation| operation.access == AccessRule::Merchants);
    operations.collect()
}

/// Asks an operation with these attributes.
fn ask(
    merchant: &TestMerchant,
    operation: &Operation,
    attributes: &[(&str, &str)],
) -> RequestBuilder {
    let attributes = attributes.iter();
    let attributes = attributes.map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
    ask_with(merchant, operation, &attributes.collect())
}

/// The same with values of any type.
fn ask_with(
    merchant: &TestMerchant,
    operation: &Operation,
    attributes: &Map<String, Value>,
) -> RequestBuilder {
    match operation.verb {
        Verb::Get => {
            let (path, in_path) = path_of(operation, attributes);
            let texts = attributes
                .iter()
                .filter(|(name, _)| in_path != Some(name.as_str()))
                .map(|(name, value)| (name, value.as_str()));
            let texts: Vec<_> = texts.collect();
            merchant.request(Method::GET, &path).query(&texts)
        }
        Verb::Post => {
            let body = Value::from(attributes.clone());
            merchant.posting(operation.path, body.to_string())
        }
    }
}

/// The path of an operation with the attribute that is a part of it, where there is one, and its
/// name: its example where it is not among the attributes.
fn path_of<'a>(
    operation: &'a Operation,
    attributes: &Map<String, Value>,
) -> (String, Option<&'a str>) {
    let mut parameters = operation.parameters();
    let Some(part) = parameters.find(|it| operation.has_in_path(&it.attribute)) else {
        return (operation.path.to_owned(), None);
    };
    let name = part.attribute.name;
    let sent = attributes.get(name).and_then(Value::as_str);
    let word = sent.or(part.example).expect("a word in the path");
    let encoded: String = word.bytes().map(encoded).collect();
    let path = operation.path.replace(&format!("{{{name}}}"), &encoded);
    (path, Some(name))
}

/// A byte of a path as RFC 3986 has it there.
fn encoded(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() {
        return char::from(byte).to_string();
    }
    format!("%{byte:02X}")
}

/// The values of an example; `own` has another for those that are not in use.
fn example<'a>(
    parameters: &'a [Parameter],
    own: &impl Fn(&'a str) -> &'a str,
) -> Map<String, Value> {
    let value = |parameter: &'a Parameter| match parameter.example {
        Some(example) => Some(Value::from(own(example))),
        None if parameter.each.is_empty() => None,
        None if parameter.is_part() => Some(Value::from(example(&parameter.each, own))),
        None => {
            let least = (*parameter.count.start()).max(1);
            Some(Value::from(vec![example(&parameter.each, own); least]))
        }
    };
    let named = parameters.iter();
    let named = named.filter_map(|it| Some((it.attribute.name.to_owned(), value(it)?)));
    named.collect()
}

/// The names an error finds fault with in these words.
fn faulty(answer: &HttpAnswer, is_fault: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let json = answer.json();
    let Some(params) = json["errors"]["params"].as_object() else {
        return BTreeSet::new();
    };
    let params = params.iter().filter(|(_, messages)| {
        let mut messages = messages.as_array().expect("messages").iter();
        messages.any(|message| is_fault(message.as_str().expect("a message")))
    });
    params.map(|(name, _)| name.clone()).collect()
}

/// Every name an attribute has, in whichever operation.
fn every_name() -> BTreeSet<&'static str> {
    let names = ATTRIBUTES.split('"').skip(1).step_by(2);
    let categories = BillCategory::all();
    let fields = categories.flat_map(|it| it.definition().fields.iter().map(|field| field.name));
    // Other names with a hyphen are headers of requests.
    let is_attribute = |name: &&str| {
        let rest = name.strip_prefix("webhook-").unwrap_or(name);
        rest.chars().all(char::is_alphanumeric)
    };
    names.filter(is_attribute).chain(fields).collect()
}

#[tokio::test]
async fn an_operation_knows_the_attributes_it_is_described_with_and_no_others() {
    let bench = bench();
    let interface = Interface::read().unwrap();
    let every = every_name();
    assert!(
        every.contains("mrcReference") && every.contains("orderby"),
        "{every:?}"
    );
    for operation in for_merchants(&interface) {
        let described: BTreeSet<_> = operation.parameters().map(|p| p.attribute.name).collect();
        // Fifty at a time leave those over that it may know; each of them is then sent alone, as
        // one may be refused for the sake of another.
        let mut left = Vec::new();
        for names in every.iter().collect::<Vec<_>>().chunks(AT_ONCE) {
            let unknown = unknown_of(&bench.merchant, operation, names).await;
            left.extend(names.iter().filter(|name| !unknown.contains(***name)));
        }
        let mut known = BTreeSet::new();
        for name in left {
            let unknown = unknown_of(&bench.merchant, operation, &[name]).await;
            if unknown.is_empty() {
                known.insert(*name);
            }
        }
        assert_eq!(known, described, "{}", operation.id);
    }
}

/// Attributes of one request: their names fit into an address, and all are named in one answer.
const AT_ONCE: usize = 50;

/// Those of the names that are no attributes of the operation, sent together.
async fn unknown_of(
    merchant: &TestMerchant,
    operation: &Operation,
    names: &[&&'static str],
) -> BTreeSet<String> {
    // No value is both short and free of line breaks for every attribute, so none passes.
    let pairs: Vec<_> = names.iter().map(|name| (**name, "\u{0}")).collect();
    let request = ask(merchant, operation, &pairs);
    let answer = send(request.header(STRICT.0, STRICT.1)).await;
    assert!((400..500).contains(&answer.status), "{answer:?}");
    faulty(&answer, |message| message == UNKNOWN)
}

#[tokio::test]
async fn an_operation_needs_the_attributes_that_are_described_as_required() {
    let bench = bench();
    let interface = Interface::read().unwrap();
    for operation in for_merchants(&interface) {
        let needed_by = |request: &DocumentedRequest| {
            let parameters = request.parameters.iter();
            let required = parameters.filter(|parameter| parameter.need == ParameterNeed::Required);
            required
                .map(|p| p.attribute.name.to_owned())
                .collect::<BTreeSet<_>>()
        };
        let ways: Vec<_> = operation.requests.iter().map(needed_by).collect();
        let answer = send(ask(&bench.merchant, operation, &[])).await;
        let missed = faulty(&answer, |message| message.starts_with("is required"));
        let some_way = ways.iter().any(|way| missed.is_subset(way));
        assert!(some_way, "{}: {answer:?}", operation.id);
        for way in &ways {
            let others = |name: &&String| ways.iter().all(|way| way.contains(*name));
            let always: BTreeSet<_> = way.iter().filter(others).cloned().collect();
            assert!(missed.is_superset(&always), "{}: {answer:?}", operation.id);
        }
    }
}

#[tokio::test]
async fn an_operation_takes_the_described_words_and_no_others() {
    let bench = bench();
    let interface = Interface::read().unwrap();
    for operation in for_merchants(&interface) {
        for parameter in operation.parameters().filter(|p| !p.words.is_empty()) {
            let name = parameter.attribute.name;
            let spellings = parameter.words.iter();
            let spellings = spellings.flat_map(|word| [word.to_string(), word.to_uppercase()]);
            let taken = spellings.map(|word| (word, true));
            for (word, taken) in taken.chain([("?".to_owned(), false)]) {
                // Next to an attribute that is wrong, so that nothing is done.
                let attributes = [(name, &*word), ("none", "")];
                let asked = ask(&bench.merchant, operation, &attributes);
                let answer = send(asked.header(STRICT.0, STRICT.1)).await;
                let at_fault = faulty(&answer, |_| true).contains(name);
                assert_eq!(
                    at_fault, !taken,
                    "{} {name}={word}: {answer:?}",
                    operation.id
                );
            }
        }
    }
}

/// Whether it is about keys or users, which have to be made first.
fn makes_access(operation: &Operation) -> bool {
    let mut paths = ["/account/", "/security/"].into_iter();
    operation.verb == Verb::Post && paths.any(|path| operation.path.starts_with(path))
}

/// The key, the user, the code of the invitation and the network that an operation is asked with.
async fn access_for(merchant: &TestMerchant, operation: &Operation) -> [String; 4] {
    if !makes_access(operation) {
        return [EXAMPLE_KEY, EXAMPLE_USER, EXAMPLE_CODE, EXAMPLE_ALLOWED].map(str::to_owned);
    }
    let (key, _) = merchant.make_key("read").await;
    let (user, code) = merchant.invite_user().await;
    let network = merchant.allow_network(&key).await;
    [key, user, code, network]
}

#[tokio::test]
async fn every_example_of_a_request_is_answered_as_it_is_described() {
    let bench = bench();
    let interface = Interface::read().unwrap();
    // Purchases first: their reports ask by the same reference.
    let mut operations = for_merchants(&interface);
    operations.sort_by_key(|operation| operation.verb != Verb::Post);
    for operation in operations {
        for request in &operation.requests {
            let (endpoint, event) = endpoint_with_deliveries(&bench.merchant).await;
            let is_of = |path| operation.path.starts_with(path);
            let group = if is_of("/transfer/group/") || operation.id == "payOutInBulk" {
                Some(bench.merchant.make_group().await)
            } else {
                None
            };
            let [template, flow] = library_for(&bench.merchant, operation).await;
            let access = access_for(&bench.merchant, operation).await;
            let [key, user, code, network] = &access;
            let waiting = waiting_for(&bench.merchant, operation).await;
            let coupon = if is_of("/voucher/") {
                bench.merchant.make_coupon().await
            } else {
                [EXAMPLE_VOUCHER_CODE, EXAMPLE_VOUCHER, ""].map(str::to_owned)
            };
            let collection = collection_for(&bench.merchant, operation).await;
            let invoice = invoice_for(&bench.merchant, operation).await;
            let [bookable, appointment, booked_at] = booking_for(&bench.merchant, operation).await;
            let (subscription, start) = subscription_for(&bench.merchant, operation).await;
            let today = today();
            let run = bench.merchant.make_report().await;
            let own = |example| match example {
                EXAMPLE_SUBSCRIPTION => &subscription,
                EXAMPLE_START => &start,
                EXAMPLE_RUN => &run,
                EXAMPLE_COLLECTION => &collection,
                EXAMPLE_INVOICE => &invoice,
                EXAMPLE_BOOKABLE => &bookable,
                EXAMPLE_APPOINTMENT => &appointment,
                EXAMPLE_APPOINTMENT_START => &booked_at,
                EXAMPLE_VOUCHER_CODE => &coupon[0],
                EXAMPLE_VOUCHER => &coupon[1],
                EXAMPLE_KEY => key,
                EXAMPLE_WAITING => &waiting,
                EXAMPLE_USER => user,
                EXAMPLE_CODE => code,
                EXAMPLE_ALLOWED => network,
                EXAMPLE_TEMPLATE => &template,
                EXAMPLE_FLOW => &flow,
                EXAMPLE_GROUP => group.as_deref().unwrap_or(EXAMPLE_GROUP),
                EXAMPLE_PAY_DATE => &today,
                EXAMPLE_QUOTE => orders::QUOTE,
                EXAMPLE_QUOTE_TO_GERMANY => orders::QUOTE_TO_GERMANY,
                EXAMPLE_SENDER => bench.merchant.sender(),
                EXAMPLE_URL => "http://127.0.0.1:9/events",
                EXAMPLE_ENDPOINT => &endpoint,
                EXAMPLE_EVENT => &event,
                other => other,
            };
            let shown = example(&request.parameters, &own);
            let answer = send(ask_with(&bench.merchant, operation, &shown)).await;
            let mut samples = operation.answers.iter().flat_map(|answer| &answer.samples);
            let expected = samples.next().expect("a sample").status;
            let reported = format!("{} {shown:?}: {answer:?}", operation.id);
            assert_eq!(answer.status, expected, "{reported}");
            bench.merchant.delete_endpoint(&endpoint).await;
        }
    }
}

/// A template and a flow, for what is about one.
async fn library_for(merchant: &TestMerchant, operation: &Operation) -> [String; 2] {
    if !operation.path.starts_with("/messaging/") {
        return [EXAMPLE_TEMPLATE, EXAMPLE_FLOW].map(str::to_owned);
    }
    [merchant.make_template().await, merchant.make_flow().await]
}

/// The reference of a payment that waits for an approval, for what decides one.
async fn waiting_for(merchant: &TestMerchant, operation: &Operation) -> String {
    if operation.id == "decideApproval" {
        return merchant.wait_for_approval().await;
    }
    EXAMPLE_WAITING.to_owned()
}

/// The number of a collection of its own, for what is about one.
async fn collection_for(merchant: &TestMerchant, operation: &Operation) -> String {
    if operation.path.starts_with("/collection/") {
        return merchant.make_collection().await;
    }
    EXAMPLE_COLLECTION.to_owned()
}

/// The number of a draft of an invoice of its own, for what is about one.
async fn invoice_for(merchant: &TestMerchant, operation: &Operation) -> String {
    if operation.path.starts_with("/billing/invoice/") {
        return merchant.make_invoice().await;
    }
    EXAMPLE_INVOICE.to_owned()
}

/// A service and an appointment of its own, for what is about them, and a time that is free.
async fn booking_for(merchant: &TestMerchant, operation: &Operation) -> [String; 3] {
    if operation.path.starts_with("/booking/") {
        let service = merchant.make_service().await;
        return [service, merchant.make_appointment().await, half_hour()];
    }
    [
        EXAMPLE_BOOKABLE,
        EXAMPLE_APPOINTMENT,
        EXAMPLE_APPOINTMENT_START,
    ]
    .map(str::to_owned)
}

/// A subscription to change or to ask about, and when the first run of another one is due.
async fn subscription_for(merchant: &TestMerchant, operation: &Operation) -> (String, String) {
    let number = if operation.path.starts_with("/billing/subscription/") {
        merchant.make_subscription().await
    } else {
        EXAMPLE_SUBSCRIPTION.to_owned()
    };
    (number, in_a_month())
}

/// An endpoint, and an event delivered to it.
async fn endpoint_with_deliveries(merchant: &TestMerchant) -> (String, String) {
    let endpoint = merchant.make_endpoint().await;
    let body = serde_json::json!({"whkIdentifier": endpoint});
    let tried = merchant.post("/webhook/test", &body).await;
    let event = tried.with_status(202).text("evtIdentifier");
    (endpoint, event)
}

#[test]
fn every_example_of_an_answer_is_as_its_schema_says() {
    let paths = document::openapi()["paths"].as_object().unwrap();
    let mut checked = 0;
    for (path, item) in paths {
        for (verb, operation) in item.as_object().unwrap() {
            let method = Method::from_bytes(verb.to_ascii_uppercase().as_bytes()).unwrap();
            for (status, response) in operation["responses"].as_object().unwrap() {
                let content = document::resolve(response)["content"].as_object();
                // 304 has none.
                assert_eq!(content.is_none(), status == "304", "{verb} {path} {status}");
                for (format, media) in content.into_iter().flatten() {
                    for example in examples(media) {
                        let status = status.parse().unwrap();
                        document::check(&method, path, &HttpAnswer::made(status, format, example));
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

/// The texts of the examples.
fn examples(media: &Value) -> Vec<String> {
    let text = |example: &Value| match example.as_str() {
        Some(xml) => xml.to_owned(),
        None => example.to_string(),
    };
    match media["examples"].as_object() {
        Some(many) => many
            .values()
            .map(|example| text(&example["value"]))
            .collect(),
        None => vec![text(&media["example"])],
    }
}
