//! Cases of invoices.

use super::shared::{
    self, ViolationCase, ask, bad_reports, created, params, second, strictly, success,
};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::INVOICE;

const CREATE: Route = Route(Verb::Post, "/billing/invoice");
const LIST: Route = Route(Verb::Get, "/billing/invoice");
const REPORT: Route = Route(Verb::Get, "/billing/invoice/transaction");
const DOCUMENT: Route = Route(Verb::Get, "/billing/invoice/pdf");
const OPEN: Route = Route(Verb::Post, "/billing/invoice/open");
const VOID: Route = Route(Verb::Post, "/billing/invoice/void");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));

const NEW: [(&str, &str); 8] = [
    ("mrcReference", "\"bad\""),
    ("customerName", "\"Ada Obi\""),
    ("customerEmail", "\"ada@example.com\""),
    ("customerPhone", "\"2348031234567\""),
    (
        "items",
        "[{\"name\":\"Yam\",\"quantity\":2,\"amount\":\"2,000.00\",\"vatRate\":\"7.5\"}]",
    ),
    ("dueDate", "\"2030-01-01T00:00:00Z\""),
    ("currency", "\"NGN\""),
    ("invDraft", "false"),
];

/// Every required attribute.
const REQUIRED: [&str; 5] = [
    "mrcReference",
    "customerName",
    "items",
    "dueDate",
    "currency",
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        creating(),
        listing(),
        reports(),
        documents(),
        changes(),
        bad_values(),
        bad_items(),
        bad_rest(),
    ];
    all.into_iter().flatten().collect()
}

const YAMS: &str = "\"items\":[{\"name\":\"Yam\",\"quantity\":2,\"amount\":\"2,000.00\",\
                    \"vatRate\":\"7.50\",\"vatAmount\":\"300.00\"}],\"invTotal\":\"4,300.00\",\
                    \"invVat\":\"300.00\",\"invPaid\":\"0.00\",\"invDue\":\"4,300.00\"";

/// Where an invoice is paid, and what it ends with.
fn payable(version: u32) -> String {
    format!(
        "\"currency\":\"NGN\",\"dueDate\":\"<datetime>\",\"txnDate\":\"<datetime>\",\
         \"colReference\":\"<text>\",\"bankFullname\":\"Sandbox Bank\",\
         \"accountNumber\":\"9900000000\",\"accountName\":\"Sandbox Collections\",\
         \"chkUrl\":\"<text>\",\"version\":{version}"
    )
}

fn invoice(reference: &str) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"invIdentifier\":<int>,\"invNumber\":\"<text>\",\
         \"invStatus\":\"Open\",\"customerName\":\"Ada Obi\",\
         \"customerEmail\":\"ada@example.com\",\"customerPhone\":\"2348031234567\",{YAMS},{}",
        payable(1)
    )
}

/// The invoice that is made for a case: a draft for 1,075.00, after a change.
fn changed(number: &str, status: &str, (due, rest): (&str, &str)) -> String {
    format!(
        "\"mrcReference\":\"<text>\",\"invIdentifier\":<int>,\"invNumber\":{number},\
         \"invStatus\":\"{status}\",\"customerName\":\"Ada Obi\",\"customerEmail\":null,\
         \"customerPhone\":null,\"items\":[{{\"name\":\"Yam\",\"quantity\":1,\
         \"amount\":\"1,000.00\",\"vatRate\":\"7.50\",\"vatAmount\":\"75.00\"}}],\
         \"invTotal\":\"1,075.00\",\"invVat\":\"75.00\",\"invPaid\":\"0.00\",\
         \"invDue\":\"{due}\",{rest}"
    )
}

fn creating() -> Vec<Case> {
    let body = |reference: &str| {
        let reference = format!("\"{reference}\"");
        Body(object(&NEW, &[("mrcReference", reference.as_str())]))
    };
    let case =
        |rule: &str, reference: &str, expect| Case::new(CREATE, rule, body(reference), expect);
    vec![
        case("it needs credentials", "none", Expect::Credentials),
        case(
            "every field, in order",
            "good-bill",
            created(&invoice("good-bill")),
        ),
        case("another", "good-bill-2", created(&invoice("good-bill-2"))),
    ]
}

fn listing() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(LIST, rule, query, expect);
    let page = second("invoices", &invoice("good-bill-2"), (2, 2));
    vec![
        ask("it needs credentials", "", Expect::Credentials),
        ask("a part of them", "offset=1&length=1", success(&page)),
        ask(
            "no part",
            "offset=-1&length=101&sort=up&orderby=amount",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            "x=1",
            params(400, None, &["x"]),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-bill");
    let expect = success(&invoice("good-bill"));
    let query = "mrcReference=good-bill";
    cases.push(ask(REPORT, "the fields of the invoice", query, expect));
    cases
}

fn documents() -> Vec<Case> {
    let mut cases = bad_reports(DOCUMENT, "good-bill");
    cases.push(ask(
        DOCUMENT,
        "the fields of the invoice",
        "mrcReference=good-bill&format=json",
        success(&invoice("good-bill")),
    ));
    cases.push(ask(
        DOCUMENT,
        "a form that there is not",
        "mrcReference=good-bill&format=csv",
        params(400, None, &["format"]),
    ));
    cases
}

fn changes() -> Vec<Case> {
    let nowhere = "\"currency\":\"NGN\",\"dueDate\":\"<datetime>\",\"txnDate\":\"<datetime>\",\
                   \"colReference\":null,\"bankFullname\":null,\"accountNumber\":null,\
                   \"accountName\":null,\"chkUrl\":null,\"version\":2";
    let opened = changed("\"<text>\"", "Open", ("1,075.00", &payable(2)));
    let voided = changed("null", "Void", ("0.00", nowhere));
    let body = |rest: &str| Body(format!("{{\"invIdentifier\":{INVOICE}{rest}}}"));
    let each = [(OPEN, opened), (VOID, voided)];
    let each = each.into_iter().flat_map(|(route, fields)| {
        let case = |rule: &str, input, expect| Case::new(route, rule, input, expect);
        vec![
            case(
                "it needs credentials",
                body(",\"version\":1"),
                Expect::Credentials,
            ),
            case(
                "from the version that was seen",
                body(",\"version\":1"),
                success(&fields),
            ),
            case(
                "from another version",
                body(",\"version\":2"),
                params(409, None, &["version"]),
            ),
            case(
                "no invoice of the account",
                Body("{\"invIdentifier\":1,\"version\":1}".to_owned()),
                params(404, None, &["invIdentifier"]),
            ),
            case(
                "what is wrong is named at once",
                Body("{\"invIdentifier\":\"x\",\"version\":0}".to_owned()),
                params(400, None, &["invIdentifier", "version"]),
            ),
            case(
                "what is missing is named at once",
                Body("{}".to_owned()),
                params(400, None, &["invIdentifier", "version"]),
            ),
            strictly(case(
                "strict: every unknown attribute is named",
                body(",\"version\":1,\"x\":1"),
                params(400, None, &["x"]),
            )),
        ]
    });
    each.collect()
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((CREATE, &NEW), rule, changes, expect)
}

fn bad_values() -> Vec<Case> {
    let of = |name: &'static str, values: &[&str], about| {
        let case = |value: &&str| {
            let expect = params(400, about, &[name]);
            bad("a value that is none", &[(name, *value)], expect)
        };
        values.iter().map(case).collect::<Vec<_>>()
    };
    [
        of("mrcReference", &["\"a b\"", "\"\"", "null"], None),
        of("customerName", &["\"\"", "\" \"", "null"], None),
        of("customerEmail", &["\"ada\"", "\"\""], None),
        of("customerPhone", &["\"12\"", "\"0803\""], PHONE),
        of("items", &["[]", "\"Yam\"", "7", "null"], None),
        of(
            "dueDate",
            &[
                "\"soon\"",
                "null",
                "\"2020-01-01T00:00:00Z\"",
                "\"2099-01-01T00:00:00Z\"",
            ],
            None,
        ),
        of("currency", &["\"CRD\"", "\"USD\"", "7", "null"], None),
        of("invDraft", &["\"perhaps\"", "2"], None),
    ]
    .concat()
}

fn bad_items() -> Vec<Case> {
    let case = |item: &str, about, name: &'static str| {
        let items = format!("[{item}]");
        let expect = params(400, about, &[name]);
        bad("an item that is none", &[("items", &items)], expect)
    };
    vec![
        case("{\"quantity\":1,\"amount\":\"1.00\"}", None, "items.0.name"),
        case(
            "{\"name\":\"Yam\",\"quantity\":0,\"amount\":\"1.00\"}",
            None,
            "items.0.quantity",
        ),
        case(
            "{\"name\":\"Yam\",\"quantity\":1,\"amount\":\"0\"}",
            AMOUNT,
            "items.0.amount",
        ),
        case(
            "{\"name\":\"Yam\",\"quantity\":1,\"amount\":\"1.00\",\"vatRate\":\"100.1\"}",
            None,
            "items.0.vatRate",
        ),
        case(
            "{\"name\":\"Yam\",\"quantity\":1,\"amount\":\"0.99\"}",
            None,
            "items",
        ),
    ]
}

fn bad_rest() -> Vec<Case> {
    let nothing: Vec<_> = NEW.iter().map(|(name, _)| (*name, "")).collect();
    vec![
        bad(
            "everything that is missing is named at once",
            &nothing,
            params(400, None, &REQUIRED),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}
