//! Every answer in both formats. It must ask for the same thing twice, so that the format is all
//! that may differ.

use crate::case::{Case, Expect, Input, Route, Shows};
use crate::cases;
use crate::same_tree;
use crate::tables::{between, forget_keys};
use http_server::{RouteKind, endpoints};
use reqwest::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap};
use reqwest::{Method, RequestBuilder};
use std::collections::HashSet;
use tests::answer::HttpAnswer;
use tests::bulk;
use tests::folder::{GatewayFolder, OPEN, PAID_TO, QUICK};
use tests::http_line::Dialler;
use tests::merchant::{TestMerchant, send};
use tests::orders::{self, AIRTIME, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal;
use tokio::task::JoinSet;

const BALANCE: &str = "/account/balance";
const JSON: &str = "application/json";
const XML: &str = "application/xml";

/// What belongs to one answer and no other: its format, its moment, its turn.
const OF_ONE_ANSWER: [&str; 9] = [
    "content-type",
    "content-length",
    "date",
    "idempotency-replayed",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "retry-after",
    "x-request-id",
];

struct Bench {
    folder: GatewayFolder,
    merchant: TestMerchant,
    server: GatewayProcess,
}

fn bench() -> Bench {
    let folder = GatewayFolder::with(&[QUICK, OPEN, PAID_TO].concat());
    let account = folder.account("Formats", "10000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account).beside_operator(&folder);
    Bench {
        folder,
        merchant,
        server,
    }
}

/// Asks for the same in JSON and in XML and compares the answers. A payment may move on between the
/// two, so a difference has to be there every time.
async fn both(what: &str, request: impl Fn() -> RequestBuilder) -> HttpAnswer {
    const ATTEMPTS: usize = 4;
    let mut reported = Vec::new();
    for _ in 0..ATTEMPTS {
        let json = send(request().header(ACCEPT, JSON)).await;
        let xml = send(request().header(ACCEPT, XML)).await;
        reported = differences(&json, &xml);
        if reported.is_empty() {
            return json;
        }
    }
    panic!("{what}: {reported:#?}");
}

fn differences(json: &HttpAnswer, xml: &HttpAnswer) -> Vec<String> {
    assert_eq!(json.header("content-type"), Some(JSON), "{json:?}");
    assert_eq!(xml.header("content-type"), Some(XML), "{xml:?}");
    let (in_json, in_xml) = (json.body_without_id(), xml.body_without_id());
    let mut differences = same_tree::differences(&in_json, &in_xml);
    if (json.status, lasting(&json.headers)) != (xml.status, lasting(&xml.headers)) {
        differences.push("the heads differ".to_owned());
    }
    if !differences.is_empty() {
        differences.push(format!("{json:?}"));
        differences.push(format!("{xml:?}"));
    }
    differences
}

/// The headers that tell the same whatever the format is.
fn lasting(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in OF_ONE_ANSWER {
        headers.remove(name);
    }
    // The tag of an answer that may be kept is of its bytes, that of an object of its version.
    if headers
        .get(CACHE_CONTROL)
        .is_some_and(|it| it != "no-store")
    {
        headers.remove(ETAG);
    }
    headers
}

/// The case with what it is about, which is made first.
async fn placed(case: &Case, merchant: &TestMerchant) -> Case {
    if case.needs_group() {
        case.at_group(&merchant.make_group().await)
    } else if case.needs_library() {
        case.at_library(merchant).await.0
    } else if case.needs_collection() {
        case.at_collection(merchant).await
    } else if case.needs_invoice() {
        case.at_invoice(merchant).await
    } else if case.needs_booking() {
        case.at_booking(merchant).await
    } else if case.needs_run() {
        case.at_run(&merchant.make_report().await)
    } else if case.needs_approval() {
        case.at_approval(merchant).await
    } else if case.needs_coupon() {
        case.at_coupon(merchant).await
    } else {
        case.clone()
    }
}

#[tokio::test]
async fn every_answer_of_every_operation_says_the_same_in_both_formats() {
    let bench = bench();
    let mut compared = HashSet::new();
    for (number, case) in cases::all().iter().enumerate() {
        if names_a_format(case) {
            continue;
        }
        if changes_endpoints(case) {
            let answer = both_changes(case, &bench.merchant).await;
            compared.insert((case.route, answer.status < 400));
            continue;
        }
        if case.needs_access() {
            let answer = both_of_access(case, &bench.merchant).await;
            compared.insert((case.route, answer.status < 400));
            continue;
        }
        if case.needs_group() && case.route.1.starts_with("/transfer/group") {
            let answer = both_at_groups(case, &bench.merchant).await;
            compared.insert((case.route, answer.status < 400));
            continue;
        }
        if case.needs_library() && case.route.1.ends_with("/delete") {
            let answer = both_of_library(case, &bench.merchant).await;
            compared.insert((case.route, answer.status < 400));
            continue;
        }
        let endpoint = if case.needs_endpoint() {
            Some(bench.merchant.make_endpoint().await)
        } else {
            None
        };
        let case = &case.at_endpoint(endpoint.as_deref().unwrap_or_default());
        let case = &placed(case, &bench.merchant).await;
        let keyed = || {
            let request = ask(case, &bench.merchant);
            // A purchase happens once, and its second answer tells the same under its key.
            match (case.shows(), &case.input) {
                (Shows::Contract, Input::Body(_)) => {
                    request.header("idempotency-key", format!("formats-{number}"))
                }
                (Shows::Contract, Input::Query(_)) | (Shows::Authentication | Shows::Error, _) => {
                    request
                }
            }
        };
        let answer = both(&case.rule, keyed).await;
        compared.insert((case.route, answer.status < 400));
        if let Some(endpoint) = endpoint {
            bench.merchant.delete_endpoint(&endpoint).await;
        }
    }
    let operations = endpoints().iter();
    for endpoint in operations.filter(|endpoint| endpoint.kind != RouteKind::Documentation) {
        let route = Route(endpoint.verb, endpoint.path);
        let fails = matches!(endpoint.kind, RouteKind::Health);
        assert!(
            compared.contains(&(route, true)),
            "no success: {endpoint:?}"
        );
        assert!(
            fails || compared.contains(&(route, false)),
            "no error: {endpoint:?}"
        );
    }
    provider_journal::audit_is_clean(&bench.folder);
}

/// Whether what is asked for is done anew each time it is asked.
fn changes_endpoints(case: &Case) -> bool {
    let Route(verb, path) = case.route;
    if !path.starts_with("/webhook/") {
        return false;
    }
    let mut here = endpoints()
        .iter()
        .filter(|it| (it.verb, it.path) == (verb, path));
    here.any(|endpoint| endpoint.kind == RouteKind::Change) && case.shows() == Shows::Contract
}

/// Asks for the same in JSON and in XML, each of an endpoint of its own, and compares the answers
/// but for what belongs to one endpoint, one event or one second.
async fn both_changes(case: &Case, merchant: &TestMerchant) -> HttpAnswer {
    let mut reported = Vec::new();
    for format in [JSON, XML] {
        let endpoint = merchant.make_endpoint().await;
        let request = case.at_endpoint(&endpoint).request(merchant);
        let answer = send(request.header(ACCEPT, format)).await;
        let shown = of_no_endpoint(&answer.body_without_id());
        merchant.delete_endpoint(&endpoint).await;
        merchant.delete_endpoint(&number_in(&answer.body)).await;
        reported.push((answer, shown));
    }
    same(reported)
}

/// The answer in JSON, which has to say what the one in XML says.
fn same(reported: Vec<(HttpAnswer, String)>) -> HttpAnswer {
    let [(json, in_json), (xml, in_xml)] = <[_; 2]>::try_from(reported).expect("two answers");
    let differences = same_tree::differences(&in_json, &in_xml);
    assert!(differences.is_empty(), "{differences:#?} {json:?} {xml:?}");
    let lasting = |answer: &HttpAnswer| {
        let mut headers = lasting(&answer.headers);
        (answer.status, headers.remove("location").is_some(), headers)
    };
    assert_eq!(lasting(&json), lasting(&xml));
    json
}

/// As [`both_changes`], each of a group of its own.
async fn both_at_groups(case: &Case, merchant: &TestMerchant) -> HttpAnswer {
    let mut reported = Vec::new();
    for format in [JSON, XML] {
        let group = merchant.make_group().await;
        let request = case.at_group(&group).request(merchant);
        let answer = send(request.header(ACCEPT, format)).await;
        let shown = of_no_moment(answer.body_without_id().replace(&group, "1"));
        reported.push((answer, shown));
    }
    same(reported)
}

/// As [`both_changes`], each of a template or a flow of its own.
async fn both_of_library(case: &Case, merchant: &TestMerchant) -> HttpAnswer {
    let mut reported = Vec::new();
    for format in [JSON, XML] {
        let (placed, number) = case.at_library(merchant).await;
        let request = placed.request(merchant);
        let answer = send(request.header(ACCEPT, format)).await;
        let shown = answer.body_without_id().replace(&number, "1");
        reported.push((answer, shown));
    }
    same(reported)
}

/// As [`both_changes`], each of a key and a user of its own.
async fn both_of_access(case: &Case, merchant: &TestMerchant) -> HttpAnswer {
    let mut reported = Vec::new();
    for format in [JSON, XML] {
        let (placed, key) = case.at_access(merchant).await;
        let request = ask(&placed, merchant);
        let answer = send(request.header(ACCEPT, format)).await;
        let mut shown = answer.body_without_id();
        for field in [
            "keyIdentifier",
            "keyName",
            "keyReplaced",
            "keySigningSecret",
            "alwIdentifier",
            "usrIdentifier",
            "usrEmail",
            "activationCode",
        ] {
            let own = between(&shown, field).filter(|own| own.len() > 5 && !own.starts_with(' '));
            if let Some(own) = own.filter(|own| !own.starts_with("xsi")) {
                shown = shown.replace(&own, "1");
            }
        }
        forget_keys(merchant, &key, &answer).await;
        reported.push((answer, of_no_moment(shown)));
    }
    same(reported)
}

/// The number an answer about an endpoint shows first.
fn number_in(body: &str) -> String {
    let (_, rest) = body.split_once("whkIdentifier").expect("an endpoint");
    let digits = rest.chars().skip_while(|c| !c.is_ascii_digit());
    digits.take_while(char::is_ascii_digit).collect()
}

/// A body in which everything is alike that no two endpoints, events or seconds share.
fn of_no_endpoint(body: &str) -> String {
    of_no_moment(body.replace(&number_in(body), "1"))
}

/// A body in which every secret, event and second is alike.
fn of_no_moment(mut alike: String) -> String {
    for (mark, ends) in [
        ("whsec_", "\"<"),
        ("mk_test_", "\"<"),
        ("New ", "\"<"),
        ("evt_", "\"<"),
        ("-2", "\"<"),
    ] {
        let mut parts = alike.split(mark);
        let mut cut = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let kept = part.find(|c| ends.contains(c)).unwrap_or_default();
            cut = cut + mark + &part[kept..];
        }
        alike = cut;
    }
    alike
}

/// Whether it is the case itself that chooses the format.
fn names_a_format(case: &Case) -> bool {
    case.header.as_ref().is_some_and(|(name, _)| name == ACCEPT)
}

fn ask(case: &Case, merchant: &TestMerchant) -> RequestBuilder {
    match case.expect {
        Expect::Credentials | Expect::Anyone => case.request_with(merchant, None),
        Expect::Answer(..) | Expect::Params(..) | Expect::Request(_) | Expect::System(..) => {
            case.request(merchant)
        }
    }
}

#[tokio::test]
async fn what_no_operation_answers_says_the_same_in_both_formats() {
    let bench = bench();
    let merchant = &bench.merchant;
    let check = async |what: &str, status: u16, request: &dyn Fn() -> RequestBuilder| {
        both(what, request).await.with_status(status)
    };
    let balance = || merchant.request(Method::GET, BALANCE);
    let order = orders::airtime("formats-1", "2348031230000", "100").to_string();
    let posting = |body: &str| merchant.posting(AIRTIME, body.to_owned());
    let untyped = || merchant.request(Method::POST, AIRTIME).body(order.clone());
    let lost = || merchant.request(Method::GET, "/nothing");
    check("an unknown path", 404, &lost).await;
    let wrong = || merchant.request(Method::DELETE, BALANCE);
    check("a wrong verb", 405, &wrong).await;
    let pinned = || balance().header("api-version", "2020-01-01");
    check("an unknown version", 400, &pinned).await;
    let typed = || untyped().header(CONTENT_TYPE, XML);
    check("a body in XML", 415, &typed).await;
    check("a body without a type", 415, &untyped).await;
    check("a body that is not JSON", 400, &|| posting("{\"a")).await;
    let oversized = " ".repeat(1_048_577);
    check("a body too large", 413, &|| posting(&oversized)).await;
    merchant.posting(AIRTIME, &*order).send().await.unwrap();
    let again = check("a reference used before", 422, &|| posting(&order)).await;
    assert!(again.header("location").is_some(), "{again:?}");
}

#[tokio::test]
async fn names_of_clients_are_answered_as_sent_and_are_elements_nonetheless() {
    let bench = bench();
    let names = [
        "",
        "1 <b>",
        "a&b",
        "xsi:nil",
        "é\\u0000\\r\\n",
        "]]>",
        "xmlns",
    ];
    let fields: Vec<_> = names.iter().map(|name| format!("\"{name}\":1")).collect();
    let body = format!("{{{}}}", fields.join(","));
    let strict = || {
        let request = bench.merchant.posting(AIRTIME, body.clone());
        request.header("prefer", "handling=strict")
    };
    let answer = send(strict()).await.with_status(400);
    let faulty = answer.faulty();
    for name in names {
        let name: String = serde_json::from_str(&format!("\"{name}\"")).unwrap();
        assert!(faulty.contains(&name), "{name:?}: {answer:?}");
    }
    // An element has another name where it must, and its sentence says which.
    let xml = send(strict().header(ACCEPT, XML)).await.with_status(400);
    let document = roxmltree::Document::parse(&xml.body).unwrap();
    let elements: Vec<_> = document.descendants().collect();
    for (element, said) in [
        ("_1__b_", "leave \"1 <b>\" out"),
        ("xsi_nil", "leave \"xsi:nil\" out"),
        ("xmlns", "leave it out"),
    ] {
        let found = elements.iter().find(|it| it.tag_name().name() == element);
        let message = found.and_then(roxmltree::Node::first_element_child);
        let text = message.and_then(|message| message.text()).unwrap();
        assert!(text.ends_with(said), "{text}");
    }
}

#[tokio::test]
async fn a_payment_that_is_not_final_says_so_in_both_formats() {
    let bench = bench();
    let mut waiting = JoinSet::new();
    // All at once: each is answered only when its window is over.
    for family in OrderFamily::ALL {
        let merchant = bench.merchant.clone();
        waiting.spawn(async move {
            let reference = format!("pending-{}", family.word());
            let order = family.order(&reference, "0010");
            let request = || {
                let request = merchant.buying(family, &order);
                request.header("idempotency-key", reference.clone())
            };
            both(&reference, request).await.with_status(202)
        });
    }
    for answer in waiting.join_all().await {
        assert_eq!(answer.txn_status(), "Pending");
    }
}

#[tokio::test]
async fn the_format_is_the_one_the_client_likes_best() {
    let bench = bench();
    let asked = |accept: &str| {
        let request = bench.merchant.request(Method::GET, BALANCE);
        request.header(ACCEPT, accept)
    };
    for (accept, status, format) in [
        ("*/*", 200, JSON),
        ("", 200, JSON),
        ("application/*", 200, JSON),
        ("application/xml, application/json", 200, JSON),
        ("application/xml;q=0.4, application/json;q=0.5", 200, JSON),
        ("application/xml, application/json;q=0.9", 200, XML),
        ("application/json;q=0, */*", 200, XML),
        ("text/xml", 200, XML),
        ("application/xml;q=0, application/json;q=0, */*", 406, JSON),
        ("application/xml;q=0", 406, JSON),
        ("text/html", 406, JSON),
    ] {
        let answer = send(asked(accept)).await.with_status(status);
        assert_eq!(answer.header("content-type"), Some(format), "{accept}");
        if status == 406 {
            let reported = answer.json()["errors"]["request"][0].to_string();
            assert!(
                reported.contains(JSON) && reported.contains(XML),
                "{reported}"
            );
        }
    }
    let head = bench.merchant.request(Method::HEAD, BALANCE);
    let head = send(head.header(ACCEPT, XML)).await.with_status(200);
    assert_eq!(head.header("content-type"), Some(XML));
    let options = bench.merchant.request(Method::OPTIONS, BALANCE);
    let nothing = send(options.header(ACCEPT, XML)).await.with_status(204);
    assert_eq!((&*nothing.body, nothing.header("content-type")), ("", None));
}

#[tokio::test]
async fn a_refusal_in_plain_text_is_in_the_format_that_was_asked_for() {
    let bench = bench();
    let dialler = Dialler::new(&bench.folder, bench.server.address());
    let ask = async |accept: &str| {
        let mut line = dialler.plain().await;
        line.send(format!(
            "GET {BALANCE} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n"
        ))
        .await;
        line.answer().await.with_status(403)
    };
    let (json, xml) = (ask(JSON).await, ask(XML).await);
    assert_eq!(differences(&json, &xml), Vec::<String>::new());
}

#[tokio::test]
async fn the_payouts_of_a_batch_come_as_a_file() {
    let bench = bench();
    let (order, _) = bulk::batch("file", 3, &["6789"]);
    let made = bench.merchant.post(bulk::BULK, &order).await;
    made.with_status(202);
    let report = format!("{}/transaction?mrcReference=file&format=csv", bulk::BULK);
    // Its format and its columns are checked as those of every answer.
    let file = bench.merchant.get(&report).await.with_status(200);
    let rows: Vec<_> = file.body.lines().collect();
    assert_eq!(rows.len(), 4, "{file:?}");
    assert!(rows[3].starts_with("file-2,"), "{file:?}");
}
