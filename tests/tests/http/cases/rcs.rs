//! Cases of the three operations of RCS messages.

use super::shared::{self, BadValues, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::orders::SENDER;

const SEND: Route = Route(Verb::Post, "/messaging/rcs");
const REPORT: Route = Route(Verb::Get, "/messaging/rcs/transaction");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));
const SENDER_ID: Option<ViolationCase> = Some((870, "Sender ID"));

const URL: &str = "\"https://shop.example/receipts/1042.pdf\"";

const CARD: &str = "{\"title\":\"Order 1042\",\"description\":\"On its\\nway.\",\
     \"mediaUrl\":\"https://shop.example/1042.png\",\"suggestions\":[\
     {\"text\":\"Follow it\",\"url\":\"https://shop.example/1042\"},\
     {\"text\":\"Call us\",\"dial\":\"+2348039990000\"},\
     {\"text\":\"Later\",\"reply\":\"later 1042\"}]}";

const FALLBACK: &str = "{\"content\":\"Order 1042 is on its way.\",\"after\":60}";

/// A message that is delivered and never read, so that no answer of it changes much.
const NUMBER: &str = "2348031230025";

const TEXT: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"+2348031230025\""),
    ("sender", SENDER),
    ("type", "\"text\""),
    ("content", "\"Your code\\nis 4711.\""),
];

const ONE_CARD: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", NUMBER),
    ("sender", SENDER),
    ("type", "\"card\""),
    ("card", CARD),
];

const CAROUSEL: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", NUMBER),
    ("sender", SENDER),
    ("type", "\"carousel\""),
    (
        "cards",
        "[{\"title\":\"Rice\"},{\"description\":\"Beans\"}]",
    ),
];

const FILE: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", NUMBER),
    ("sender", SENDER),
    ("type", "\"file\""),
    ("mediaUrl", URL),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        good(),
        bad_values(),
        bad_within(),
        of_other_types(),
        bad_rest(),
        reports(),
    ];
    all.into_iter().flatten().collect()
}

/// What an answer says of a message on its way, whatever is known of it by then.
fn shown(reference: &str, rest: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"<word>\",\"dlvStatus\":\"<word>\",\
         \"dlvDescription\":\"<text>\",\"readDate\":null,\"rcsCapable\":<word>,\
         \"fallbackUsed\":false,\"number\":\"{NUMBER}\",\"network\":\"MTN\",\
         \"sender\":\"CornerShop\",{rest},\"cost\":\"12.00\",\"currency\":\"NGN\""
    ))
}

fn text(reference: &str) -> Expect {
    shown(
        reference,
        "\"type\":\"text\",\"content\":\"Your code\\nis 4711.\",\"mediaUrl\":null,\
         \"fallbackContent\":null",
    )
}

fn good() -> Vec<Case> {
    let of_kind = |kind: &str, url: &str, fallback: &str| {
        format!(
            "\"type\":\"{kind}\",\"content\":null,\"mediaUrl\":{url},\
             \"fallbackContent\":{fallback}"
        )
    };
    let send = |rule, body, expect| Case::new(SEND, rule, Body(body), expect);
    let named = |reference: &'static str| ("mrcReference", reference);
    let instead = "\"Order 1042 is on its way.\"";
    vec![
        send(
            "it needs credentials",
            object(&TEXT, &[]),
            Expect::Credentials,
        ),
        send(
            "a text",
            object(&TEXT, &[named("\"good-rcs\"")]),
            text("good-rcs"),
        ),
        send(
            "a card with everything, and a text message to send instead",
            object(
                &ONE_CARD,
                &[
                    named("\"rcs-card\""),
                    ("smsFallback", FALLBACK),
                    (
                        "suggestions",
                        "[{\"text\":\"Thanks\",\"reply\":\"thanks\"}]",
                    ),
                ],
            ),
            shown("rcs-card", &of_kind("card", "null", instead)),
        ),
        send(
            "a carousel, and an empty list of suggestions",
            object(
                &CAROUSEL,
                &[named("\"rcs-carousel\""), ("suggestions", "[]")],
            ),
            shown("rcs-carousel", &of_kind("carousel", "null", "null")),
        ),
        send(
            "a file, and a text message after the usual time",
            object(
                &FILE,
                &[
                    named("\"rcs-file\""),
                    ("smsFallback", "{\"content\":\"Order 1042 is on its way.\"}"),
                ],
            ),
            shown("rcs-file", &of_kind("file", URL, instead)),
        ),
    ]
}

fn bad(order: &[(&'static str, &str)], values: &[BadValues<'_>]) -> Vec<Case> {
    shared::bad_values((SEND, order), values)
}

fn bad_values() -> Vec<Case> {
    let long = format!("\"{}\"", "a".repeat(3_073));
    let numbers = [
        "\"4915112345678\"",
        "\"08031230000\"",
        "\"\"",
        "true",
        "null",
    ];
    let texts = ["\"\"", "\"\\u0000\"", "\"\\u202eabc\"", "5", "null", &long];
    let suggestion = "{\"text\":\"A\",\"reply\":\"a\"}";
    let suggestions = format!("[{}]", [suggestion; 12].join(","));
    let urls = [
        "\"http://shop.example/a\"",
        "\"http://localhost/a\"",
        "\"file\"",
        "null",
    ];
    let cards = format!("[{}]", ["{\"title\":\"A\"}"; 11].join(","));
    let objects = ["[]", "[{\"title\":\"A\"}]", "\"A\"", "7", "null"];
    let mut cases = bad(
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
            ("type", None, 400, &["\"template\"", "\"\"", "1", "null"]),
            ("content", None, 400, &texts),
            ("countryCode", COUNTRY, 400, &["840", "\"NG\"", "0", "null"]),
            ("mrcReference", None, 400, &["\"\"", "\"a b\"", "7"]),
            (
                "suggestions",
                None,
                400,
                &["{}", "\"A\"", "null", &suggestions],
            ),
            ("smsFallback", None, 400, &["[]", "\"Hi\"", "null"]),
        ],
    );
    cases.extend(bad(&ONE_CARD, &[("card", None, 400, &objects)]));
    cases.extend(bad(
        &CAROUSEL,
        &[(
            "cards",
            None,
            400,
            &["[]", "[{\"title\":\"A\"}]", "{}", "null", &cards],
        )],
    ));
    cases.extend(bad(&FILE, &[("mediaUrl", None, 400, &urls)]));
    cases
}

/// A value within an object that is wrong, named by the way to it.
fn within(order: &[(&str, &str)], (name, value): (&str, &str), at: &'static str) -> Case {
    let rule = format!("{at} is wrong: {value:.60}");
    let body = Body(object(order, &[(name, value)]));
    let about = at.contains("dial").then_some((822, "Phone Number"));
    Case::new(SEND, rule, body, params(400, about, &[at]))
}

fn bad_within() -> Vec<Case> {
    let mut cases = bad_on_cards();
    cases.extend(bad_in_suggestions());
    cases.extend(bad_in_fallbacks());
    cases
}

fn bad_on_cards() -> Vec<Case> {
    let card = |value: &str, at: &'static str| within(&ONE_CARD, ("card", value), at);
    let long = |count: usize| "a".repeat(count);
    let many = ["{\"text\":\"A\",\"reply\":\"a\"}"; 5].join(",");
    vec![
        card("{}", "card.title"),
        card("{\"title\":\"\"}", "card.title"),
        card("{\"title\":\"a\\nb\"}", "card.title"),
        card(&format!("{{\"title\":\"{}\"}}", long(201)), "card.title"),
        card(
            &format!("{{\"description\":\"{}\"}}", long(2_001)),
            "card.description",
        ),
        card("{\"mediaUrl\":\"http://shop.example/a\"}", "card.mediaUrl"),
        card(
            &format!("{{\"title\":\"A\",\"suggestions\":[{many}]}}"),
            "card.suggestions",
        ),
        card(
            "{\"title\":\"A\",\"suggestions\":[{\"text\":\"A\"}]}",
            "card.suggestions.0.url",
        ),
    ]
}

fn bad_in_suggestions() -> Vec<Case> {
    let suggestion =
        |value: &str, at: &'static str| within(&TEXT, ("suggestions", &format!("[{value}]")), at);
    let long = |count: usize| "a".repeat(count);
    vec![
        suggestion("{\"text\":\"\",\"reply\":\"a\"}", "suggestions.0.text"),
        suggestion("{\"reply\":\"a\"}", "suggestions.0.text"),
        suggestion(
            &format!("{{\"text\":\"{}\",\"reply\":\"a\"}}", long(26)),
            "suggestions.0.text",
        ),
        suggestion("{\"text\":\"A\"}", "suggestions.0.url"),
        suggestion(
            "{\"text\":\"A\",\"url\":\"http://x.example\"}",
            "suggestions.0.url",
        ),
        suggestion(
            "{\"text\":\"A\",\"url\":\"https://x.example/a\",\"reply\":\"a\"}",
            "suggestions.0.url",
        ),
        suggestion("{\"text\":\"A\",\"dial\":\"0803\"}", "suggestions.0.dial"),
        suggestion(
            "{\"text\":\"A\",\"dial\":\"2348039990000\",\"reply\":\"a\"}",
            "suggestions.0.dial",
        ),
        suggestion(
            &format!("{{\"text\":\"A\",\"reply\":\"{}\"}}", long(2_049)),
            "suggestions.0.reply",
        ),
    ]
}

fn bad_in_fallbacks() -> Vec<Case> {
    let fallback = |value: &str, at: &'static str| within(&TEXT, ("smsFallback", value), at);
    let long = "a".repeat(1_531);
    vec![
        fallback("{}", "smsFallback.content"),
        fallback("{\"content\":\"\"}", "smsFallback.content"),
        fallback(
            &format!("{{\"content\":\"{long}\"}}"),
            "smsFallback.content",
        ),
        fallback("{\"content\":\"Hi\",\"after\":59}", "smsFallback.after"),
        fallback("{\"content\":\"Hi\",\"after\":86401}", "smsFallback.after"),
        fallback(
            "{\"content\":\"Hi\",\"after\":\"soon\"}",
            "smsFallback.after",
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
    vec![
        added(&TEXT, "card", CARD),
        added(&TEXT, "cards", "[{\"title\":\"A\"},{\"title\":\"B\"}]"),
        added(&TEXT, "mediaUrl", URL),
        added(&ONE_CARD, "content", "\"Hi\""),
        added(&ONE_CARD, "mediaUrl", URL),
        added(&CAROUSEL, "card", CARD),
        added(&CAROUSEL, "content", "\"Hi\""),
        added(&FILE, "content", "\"Hi\""),
        added(&FILE, "cards", "[]"),
    ]
}

fn bad_rest() -> Vec<Case> {
    let replies = format!("{{\"text\":\"A\",\"reply\":\"{}\"}}", "é".repeat(2_048));
    let large = format!("[{}]", vec![replies; 7].join(","));
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
            (SEND, &CAROUSEL),
            "everything that is wrong is named at once, however deep it is",
            &[
                ("number", "1"),
                (
                    "cards",
                    "[{\"title\":\"A\"},{\"suggestions\":[{\"text\":\"A\"}]}]",
                ),
                ("suggestions", "[{}]"),
                ("smsFallback", "{\"after\":1}"),
            ],
            params(
                400,
                PHONE,
                &[
                    "number",
                    "cards.1.suggestions.0.url",
                    "cards.1.title",
                    "suggestions.0.text",
                    "suggestions.0.url",
                    "smsFallback.content",
                    "smsFallback.after",
                ],
            ),
        ),
        Case::new(
            SEND,
            "what is too large for one order",
            Body(object(&TEXT, &[("suggestions", &large)])),
            params(400, None, &["content"]),
        ),
        strictly(shared::bad(
            (SEND, &ONE_CARD),
            "under strict handling every unknown attribute is named",
            &[
                ("message", "\"x\""),
                ("card", "{\"title\":\"A\",\"picture\":1}"),
                ("smsFallback", "{\"content\":\"Hi\",\"sender\":1}"),
            ],
            params(
                400,
                None,
                &["card.picture", "smsFallback.sender", "message"],
            ),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-rcs");
    cases.push(ask(
        REPORT,
        "as it was answered, with the latest status",
        "mrcReference=good-rcs",
        text("good-rcs"),
    ));
    cases
}
