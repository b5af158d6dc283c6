//! Cases of the three operations of voice calls.

use super::shared::{self, BadValues, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::orders::SENDER;

const CALL: Route = Route(Verb::Post, "/messaging/voice");
const REPORT: Route = Route(Verb::Get, "/messaging/voice/transaction");

const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const PHONE: Option<ViolationCase> = Some((822, "Phone Number"));
const SENDER_ID: Option<ViolationCase> = Some((870, "Sender ID"));

const URL: &str = "\"https://shop.example/calls/reminder.mp3\"";

const SPEECH: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "\"+2348031234567\""),
    ("sender", SENDER),
    ("type", "\"speech\""),
    ("content", "\"Your code is 4 7 1 1.\""),
];

const AUDIO: [(&str, &str); 6] = [
    ("mrcReference", "\"bad\""),
    ("countryCode", "566"),
    ("number", "2348031234567"),
    ("sender", SENDER),
    ("type", "\"audio\""),
    ("audioUrl", URL),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [good(), bad_values(), bad_rest(), reports()];
    all.into_iter().flatten().collect()
}

fn shown(reference: &str, rest: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"dlvStatus\":\"Answered\",\
         \"dlvDescription\":\"The person answered the call.\",\"callAnswered\":\"<datetime>\",\
         \"callDuration\":<int>,\"digits\":null,\"number\":\"2348031234567\",\
         \"network\":\"MTN\",\"sender\":\"CornerShop\",{rest},\"cost\":\"15.00\",\
         \"currency\":\"NGN\""
    ))
}

/// A call of one minute, whose cost is known before it is made.
fn speech(reference: &str) -> Expect {
    shown(
        reference,
        "\"type\":\"speech\",\"content\":\"Your code is 4 7 1 1.\",\"audioUrl\":null,\
         \"callMinutes\":1",
    )
}

fn good() -> Vec<Case> {
    let call = |rule, body, expect| Case::new(CALL, rule, Body(body), expect);
    let named = |reference: &'static str| ("mrcReference", reference);
    let minute = ("callMinutes", "1");
    let plan = [
        named("\"call-plan\""),
        ("callMinutes", "\"1\""),
        ("voice", "\"MALE\""),
        ("language", "\"en-NG\""),
        ("repeat", "3"),
        ("retries", "3"),
        ("window", "240"),
    ];
    let audio = format!("\"type\":\"audio\",\"content\":null,\"audioUrl\":{URL},\"callMinutes\":1");
    vec![
        call(
            "it needs credentials",
            object(&SPEECH, &[]),
            Expect::Credentials,
        ),
        call(
            "a text",
            object(&SPEECH, &[named("\"good-voice\""), minute]),
            speech("good-voice"),
        ),
        call(
            "a text with all that may be said of the call",
            object(&SPEECH, &plan),
            speech("call-plan"),
        ),
        call(
            "a file",
            object(&AUDIO, &[named("\"call-audio\""), minute]),
            shown("call-audio", &audio),
        ),
    ]
}

fn bad(order: &[(&'static str, &str)], values: &[BadValues<'_>]) -> Vec<Case> {
    shared::bad_values((CALL, order), values)
}

fn bad_values() -> Vec<Case> {
    let long = format!("\"{}\"", "a".repeat(4_097));
    let numbers = [
        "\"4915112345678\"",
        "\"08031230000\"",
        "\"\"",
        "true",
        "null",
    ];
    let texts = ["\"\"", "\"\\u0000\"", "\"\\u202eabc\"", "5", "null", &long];
    let speech = bad(
        &SPEECH,
        &[
            ("number", PHONE, 400, &numbers),
            (
                "sender",
                SENDER_ID,
                400,
                &["\"CornerShop\"", "12345", "null"],
            ),
            ("sender", SENDER_ID, 404, &["100000000000"]),
            ("type", None, 400, &["\"text\"", "\"\"", "1", "null"]),
            ("content", None, 400, &texts),
            ("countryCode", COUNTRY, 400, &["840", "\"NG\"", "0", "null"]),
            ("mrcReference", None, 400, &["\"\"", "\"a b\"", "7"]),
            ("voice", None, 400, &["\"robot\"", "\"\"", "1"]),
            (
                "language",
                None,
                400,
                &["\"english\"", "\"en_NG\"", "\"\"", "1"],
            ),
            (
                "callMinutes",
                None,
                400,
                &["0", "11", "1.5", "\"one\"", "true"],
            ),
            ("repeat", None, 400, &["0", "4", "-1"]),
            ("retries", None, 400, &["4", "-1", "\"none\""]),
            ("window", None, 400, &["0", "241", "\"\""]),
            // It belongs to the other type.
            ("audioUrl", None, 400, &[URL]),
        ],
    );
    let urls = [
        "\"http://shop.example/a\"",
        "\"http://localhost/a\"",
        "\"file\"",
        "null",
    ];
    let audio = bad(
        &AUDIO,
        &[
            ("audioUrl", None, 400, &urls),
            ("content", None, 400, &["\"Hi\""]),
            ("voice", None, 400, &["\"female\""]),
            ("language", None, 400, &["\"en\""]),
        ],
    );
    speech.into_iter().chain(audio).collect()
}

fn bad_rest() -> Vec<Case> {
    vec![
        Case::new(
            CALL,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(
                400,
                COUNTRY,
                &["mrcReference", "countryCode", "number", "sender", "type"],
            ),
        ),
        shared::bad(
            (CALL, &SPEECH),
            "everything that is wrong is named at once",
            &[("number", "1"), ("voice", "\"x\""), ("window", "0")],
            params(400, PHONE, &["number", "voice", "window"]),
        ),
        strictly(shared::bad(
            (CALL, &SPEECH),
            "under strict handling every unknown attribute is named",
            &[("message", "\"x\""), ("comment", "1")],
            params(400, None, &["message", "comment"]),
        )),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-voice");
    cases.push(ask(
        REPORT,
        "as it was answered",
        "mrcReference=good-voice",
        speech("good-voice"),
    ));
    cases
}
