//! Cases of the three operations of WhatsApp messages.

use super::shared::{self, BadValues, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::orders::SENDER;

const SEND: Route = Route(Verb::Post, "/messaging/whatsapp");
const REPORT: Route = Route(Verb::Get, "/messaging/whatsapp/transaction");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));
const SENDER_ID: Option<ViolationCase> = Some((870, "Sender ID"));

const URL: &str = "\"https://shop.example/receipts/1042.pdf\"";

const TEXT: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"+2348031230025\""),
    ("sender", SENDER),
    ("type", "\"text\""),
    ("content", "\"Your code is 4711.\""),
];

const TEMPLATE: [(&str, &str); 8] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "2348031230025"),
    ("sender", SENDER),
    ("type", "\"template\""),
    ("tplName", "\"order_shipped\""),
    ("tplLanguage", "\"en_US\""),
    (
        "tplParameters",
        "[{\"value\":\"Ada\"},{\"value\":\"1042\"}]",
    ),
];

const MEDIA: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "2348031230025"),
    ("sender", SENDER),
    ("type", "\"media\""),
    ("mediaUrl", URL),
];

/// What an answer has between its `readDate` and its own parts; it is never read.
const ADDRESS: &str = "\"readDate\":null,\"number\":\"2348031230025\",\"network\":\"MTN\",\
     \"sender\":\"CornerShop\"";

const COST: &str = "\"cost\":\"9.00\",\"currency\":\"NGN\"";

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        good(),
        bad_values(),
        outside_of_the_day(),
        of_other_types(),
        bad_rest(),
        reports(),
    ];
    all.into_iter().flatten().collect()
}

fn shown(reference: &str, rest: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"<word>\",\"dlvStatus\":\"<word>\",\
         \"dlvDescription\":\"<text>\",{ADDRESS},{rest},{COST}"
    ))
}

fn text(reference: &str) -> Expect {
    shown(
        reference,
        "\"type\":\"text\",\"content\":\"Your code is 4711.\",\"tplName\":null,\
         \"tplLanguage\":null,\"mediaUrl\":null",
    )
}

fn good() -> Vec<Case> {
    let template = "\"type\":\"template\",\"content\":null,\"tplName\":\"order_shipped\",\
        \"tplLanguage\":\"en_US\",\"mediaUrl\":null";
    let media = |caption: &str| {
        format!(
            "\"type\":\"media\",\"content\":{caption},\"tplName\":null,\"tplLanguage\":null,\
             \"mediaUrl\":{URL}"
        )
    };
    let send = |rule, body, expect| Case::new(SEND, rule, Body(body), expect);
    let named = |reference: &'static str| ("mrcReference", reference);
    vec![
        send(
            "it needs credentials",
            object(&TEXT, &[]),
            Expect::Credentials,
        ),
        send(
            "a text",
            object(&TEXT, &[named("\"good-whatsapp\"")]),
            text("good-whatsapp"),
        ),
        send(
            "a template with values",
            object(&TEMPLATE, &[named("\"wa-template\"")]),
            shown("wa-template", template),
        ),
        send(
            "a template without values",
            object(&TEMPLATE, &[named("\"wa-plain\""), ("tplParameters", "[]")]),
            shown("wa-plain", template),
        ),
        send(
            "a file",
            object(&MEDIA, &[named("\"wa-media\"")]),
            shown("wa-media", &media("null")),
        ),
        send(
            "a file with a caption",
            object(&MEDIA, &[named("\"wa-caption\""), ("content", "\"Paid.\"")]),
            shown("wa-caption", &media("\"Paid.\"")),
        ),
    ]
}

fn bad_values() -> Vec<Case> {
    let mut cases = bad_in_texts();
    cases.extend(bad_in_templates());
    cases.extend(bad_in_files());
    cases
}

fn bad(order: &[(&'static str, &str)], values: &[BadValues<'_>]) -> Vec<Case> {
    shared::bad_values((SEND, order), values)
}

fn bad_in_texts() -> Vec<Case> {
    let long = format!("\"{}\"", "a".repeat(4_097));
    let numbers = [
        "\"4915112345678\"",
        "\"08031230000\"",
        "\"\"",
        "true",
        "null",
    ];
    let texts = ["\"\"", "\"\\u0000\"", "\"\\u202eabc\"", "5", "null", &long];
    bad(
        &TEXT,
        &[
            ("number", PHONE, 400, &numbers),
            (
                "sender",
                SENDER_ID,
                400,
                &["\"CornerShop\"", "12345", "null"],
            ),
            ("sender", SENDER_ID, 404, &["100000000000"]),
            ("type", None, 400, &["\"message\"", "\"\"", "1", "null"]),
            ("content", None, 400, &texts),
            ("countryCode", COUNTRY, 400, &["840", "\"NG\"", "0", "null"]),
            ("mrcReference", None, 400, &["\"\"", "\"a b\"", "7"]),
        ],
    )
}

fn bad_in_templates() -> Vec<Case> {
    let many = format!("[{}]", ["{\"value\":\"a\"}"; 21].join(","));
    let names = ["\"Order\"", "\"\"", "\"a b\"", "null", "5"];
    let languages = ["\"english\"", "\"en-US\"", "\"\"", "null"];
    let parameters = ["\"Ada\"", "[\"Ada\"]", "7", &many];
    bad(
        &TEMPLATE,
        &[
            ("tplName", None, 400, &names),
            ("tplLanguage", None, 400, &languages),
            ("tplParameters", None, 400, &parameters),
        ],
    )
}

fn bad_in_files() -> Vec<Case> {
    let caption = format!("\"{}\"", "a".repeat(1_025));
    let urls = [
        "\"http://shop.example/a\"",
        "\"http://localhost/a\"",
        "\"file\"",
        "null",
    ];
    bad(
        &MEDIA,
        &[
            ("mediaUrl", None, 400, &urls),
            ("content", None, 400, &["\"\"", &caption, "5"]),
        ],
    )
}

/// The person has not written lately: only a template may be sent.
fn outside_of_the_day() -> Vec<Case> {
    let closed = ("number", "\"2348031230030\"");
    let send = |rule, body, expect| Case::new(SEND, rule, Body(body), expect);
    vec![
        send(
            "a text to a person who has not written lately",
            object(&TEXT, &[closed]),
            params(400, None, &["type"]),
        ),
        send(
            "a file to a person who has not written lately",
            object(&MEDIA, &[closed]),
            params(400, None, &["type"]),
        ),
        send(
            "that is named beside everything else that is wrong",
            object(&TEXT, &[closed, ("content", "\"\""), ("mrcReference", "7")]),
            params(400, None, &["mrcReference", "content", "type"]),
        ),
    ]
}

/// What the message says belongs to its type alone.
fn of_other_types() -> Vec<Case> {
    let added = |order: &'static [(&'static str, &'static str)], name: &'static str, value| {
        let body = Body(object(order, &[(name, value)]));
        let rule = format!("{name} belongs to another type");
        Case::new(SEND, rule, body, params(400, None, &[name]))
    };
    let parameters = "[{\"value\":\"Ada\"}]";
    vec![
        added(&TEXT, "tplName", "\"order_shipped\""),
        added(&TEXT, "tplLanguage", "\"en\""),
        added(&TEXT, "tplParameters", parameters),
        added(&TEXT, "mediaUrl", URL),
        added(&TEMPLATE, "content", "\"Hi\""),
        added(&TEMPLATE, "mediaUrl", URL),
        added(&MEDIA, "tplName", "\"order_shipped\""),
        added(&MEDIA, "tplParameters", parameters),
    ]
}

fn bad_rest() -> Vec<Case> {
    vec![
        Case::new(
            SEND,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(
                400,
                COUNTRY,
                &["mrcReference", "countryCode", "number", "sender", "type"],
            ),
        ),
        shared::bad(
            (SEND, &TEMPLATE),
            "everything that is wrong is named at once",
            &[("number", "1"), ("tplName", ""), ("tplLanguage", "\"x\"")],
            params(400, PHONE, &["number", "tplName", "tplLanguage"]),
        ),
        shared::bad(
            (SEND, &TEMPLATE),
            "a value of a template is named by its place",
            &[(
                "tplParameters",
                "[{\"value\":\"Ada\"},{\"value\":\"a\\nb\"},{}]",
            )],
            params(
                400,
                None,
                &["tplParameters.1.value", "tplParameters.2.value"],
            ),
        ),
        strictly(shared::bad(
            (SEND, &TEXT),
            "under strict handling every unknown attribute is named",
            &[("message", "\"x\""), ("comment", "1")],
            params(400, None, &["message", "comment"]),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-whatsapp");
    cases.push(ask(
        REPORT,
        "as it was answered, with the latest status",
        "mrcReference=good-whatsapp",
        text("good-whatsapp"),
    ));
    cases
}
