//! Cases of checkout sessions.

use super::shared::{self, ViolationCase, ask, bad_reports, params, second, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const OPEN: Route = Route(Verb::Post, "/checkout/session");
const SESSIONS: Route = Route(Verb::Get, "/checkout/session");
const SESSION: Route = Route(Verb::Get, "/checkout/session/transaction");
const CANCEL: Route = Route(Verb::Post, "/checkout/cancel");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const CHANNEL: Option<ViolationCase> = Some((812, "Payment Channel"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));

const NEW: [(&str, &str); 10] = [
    ("mrcReference", "\"bad\""),
    ("amount", "\"5,000.00\""),
    ("currency", "\"NGN\""),
    ("chkChannels", "[\"transfer\"]"),
    ("redirectUrl", "\"https://shop.example/orders?id=1\""),
    ("customerName", "\"Ada Obi\""),
    ("customerEmail", "\"ada@example.com\""),
    ("customerPhone", "\"2348031234567\""),
    ("chkExpires", ""),
    (
        "items",
        "[{\"name\":\"Yam\",\"quantity\":2,\"amount\":\"2,500.00\"}]",
    ),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [sessions(), cancels(), bad_values(), bad_rest()];
    all.into_iter().flatten().collect()
}

fn opened(fields: &str) -> Expect {
    let envelope = "\"code\":201,\"status\":\"success\",\"message\":\"<text>\"";
    Expect::Answer(
        201,
        format!("{{{envelope},{fields},\"chkSecret\":\"<text>\"}}"),
    )
}

/// A session in which nothing was paid.
fn session(reference: &str, status: &str, version: u32) -> String {
    format!(
        "\"mrcReference\":\"{reference}\",\"chkIdentifier\":<int>,\"chkUrl\":\"<text>\",\
         \"chkStatus\":\"{status}\",\"chkChannels\":[\"transfer\"],\"chkExpires\":\"<datetime>\",\
         \"txnAmount\":\"5,000.00\",\"currency\":\"NGN\",\"customerName\":\"Ada Obi\",\
         \"customerEmail\":\"ada@example.com\",\"customerPhone\":\"2348031234567\",\
         \"redirectUrl\":\"https://shop.example/orders?id=1\",\
         \"items\":[{{\"name\":\"Yam\",\"quantity\":2,\"amount\":\"2,500.00\"}}],\
         \"colReference\":\"<text>\",\"bankFullname\":\"Sandbox Bank\",\
         \"accountNumber\":\"9900000000\",\"accountName\":\"Sandbox Collections\",\
         \"chkPaid\":\"0.00\",\"chkDifference\":null,\"txnCharges\":\"0.00\",\
         \"chkNet\":\"0.00\",\"txnDate\":\"<datetime>\",\"version\":{version}"
    )
}

fn sessions() -> Vec<Case> {
    let named = |reference| Body(object(&NEW, &[("mrcReference", reference)]));
    let fields = |reference| session(reference, "Open", 1);
    let page = second("sessions", &fields("good-session-2"), (2, 2));
    let mut cases = vec![
        Case::new(
            OPEN,
            "it needs credentials",
            named("\"bad\""),
            Expect::Credentials,
        ),
        Case::new(
            OPEN,
            "every field, in order",
            named("\"good-session\""),
            opened(&fields("good-session")),
        ),
        Case::new(
            OPEN,
            "another",
            named("\"good-session-2\""),
            opened(&fields("good-session-2")),
        ),
        ask(SESSIONS, "it needs credentials", "", Expect::Credentials),
        ask(
            SESSIONS,
            "no part",
            "offset=-1&length=101&sort=up&orderby=amount",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
        strictly(ask(
            SESSIONS,
            "strict: every unknown attribute is named",
            "x=1",
            params(400, None, &["x"]),
        )),
        ask(
            SESSIONS,
            "a part of them",
            "offset=1&length=1",
            success(&page),
        ),
    ];
    cases.extend(bad_reports(SESSION, "good-session"));
    let report = format!(
        "{},\"chkChannel\":null,\"payDate\":null,\"payerName\":null,\"payerBank\":null",
        fields("good-session")
    );
    let query = "mrcReference=good-session";
    let shown = ask(
        SESSION,
        "the fields of the session",
        query,
        success(&report),
    );
    cases.push(shown);
    cases
}

fn cancels() -> Vec<Case> {
    let body = |text: &str| Body(format!("{{{text}}}"));
    vec![
        Case::new(
            CANCEL,
            "it needs credentials",
            body("\"mrcReference\":\"good-session-2\""),
            Expect::Credentials,
        ),
        Case::new(
            CANCEL,
            "a session that waits",
            body("\"mrcReference\":\"good-session-2\""),
            success(&session("good-session-2", "Cancelled", 2)),
        ),
        Case::new(
            CANCEL,
            "no session of the account",
            body("\"mrcReference\":\"bad-session\""),
            params(404, None, &["mrcReference"]),
        ),
        Case::new(
            CANCEL,
            "what is missing or wrong is named at once",
            body("\"version\":0"),
            params(400, None, &["mrcReference", "version"]),
        ),
        strictly(Case::new(
            CANCEL,
            "strict: every unknown attribute is named",
            body("\"mrcReference\":\"good-session\",\"x\":1"),
            params(400, None, &["x"]),
        )),
    ]
}

fn bad_values() -> Vec<Case> {
    let of = |name: &'static str, values: &[&str], about| {
        let case = |value: &&str| {
            let expect = params(400, about, &[name]);
            let rule = "a value that is none";
            shared::bad((OPEN, &NEW), rule, &[(name, *value)], expect)
        };
        values.iter().map(case).collect::<Vec<_>>()
    };
    [
        of("mrcReference", &["\"a b\"", "\"\"", "null"], None),
        of(
            "amount",
            &["0", "\"0.99\"", "\"1000000000.01\"", "null"],
            AMOUNT,
        ),
        of("currency", &["\"USD\"", "null"], None),
        of(
            "chkChannels",
            &["[\"card\"]", "\"transfer,ussd\"", "\"pigeon\"", "null"],
            CHANNEL,
        ),
        of(
            "redirectUrl",
            &[
                "\"shop.example\"",
                "\"http://shop.example\"",
                "\"https://a@shop.example\"",
                "\"https://shop.example/#a\"",
                "null",
            ],
            None,
        ),
        of("customerName", &["\"\"", "\" \""], None),
        of("customerEmail", &["\"ada\"", "\"\""], None),
        of("customerPhone", &["\"12\"", "\"0803\""], PHONE),
        of(
            "chkExpires",
            &[
                "\"soon\"",
                "\"2020-01-01T00:00:00Z\"",
                "\"2099-01-01T00:00:00Z\"",
            ],
            None,
        ),
        of(
            "items",
            &[
                "\"Yam\"",
                "[{\"name\":\"Yam\",\"quantity\":1,\"amount\":\"2,500.00\"}]",
            ],
            None,
        ),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let nothing: Vec<_> = NEW.iter().map(|(name, _)| (*name, "")).collect();
    let missing = [
        "mrcReference",
        "amount",
        "currency",
        "customerEmail",
        "chkChannels",
        "redirectUrl",
    ];
    let item = "[{\"name\":\"\",\"quantity\":0,\"amount\":0}]";
    vec![
        shared::bad(
            (OPEN, &NEW),
            "everything that is missing is named at once",
            &nothing,
            params(400, AMOUNT, &missing),
        ),
        shared::bad(
            (OPEN, &NEW),
            "items are named by their places",
            &[("items", item)],
            params(
                400,
                AMOUNT,
                &["items.0.name", "items.0.quantity", "items.0.amount"],
            ),
        ),
        strictly(shared::bad(
            (OPEN, &NEW),
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}
