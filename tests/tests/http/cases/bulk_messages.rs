//! Cases of bulk messages.

use super::batches::BatchCases;
use super::shared::{params, strictly};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::{FLOW_NUMBER, TEMPLATE};
use tests::orders::SENDER;

const SEND: Route = Route(Verb::Post, "/messaging/bulk");
const LIST: Route = Route(Verb::Get, "/messaging/bulk");
const REPORT: Route = Route(Verb::Get, "/messaging/bulk/transaction");
const CANCEL: Route = Route(Verb::Post, "/messaging/bulk/cancel");

pub(crate) fn cases() -> Vec<Case> {
    let all = [sending(), refused(), of_templates(), batches()];
    all.into_iter().flatten().collect()
}

fn item(reference: &str) -> String {
    format!(
        "{{\"mrcReference\":\"{reference}\",\"number\":\"+2348031230000\",\
         \"fields\":[{{\"name\":\"first\",\"value\":\"Ada\"}}]}}"
    )
}

fn order(run: &str, items: &[String], changes: &[(&str, &str)]) -> String {
    let run = format!("\"{run}\"");
    let items = format!("[{}]", items.join(","));
    let asked = [
        ("mrcReference", &*run),
        ("countryCode", "566"),
        ("sender", SENDER),
        ("type", "\"text\""),
        ("message", "\"Dear {first}.\""),
        ("items", &items),
    ];
    object(&asked, changes)
}

/// The same with the text of a template.
fn of_template(run: &str, items: &[String], template: &str) -> String {
    let written = order(run, items, &[]);
    let kept = format!("\"tplIdentifier\":{template}");
    written.replace("\"message\":\"Dear {first}.\"", &kept)
}

/// A batch of two, which are sent as soon as they are stored.
const ACCEPTED: &str = "\"batReference\":<int>,\"batStatus\":\"<text>\",\"batDate\":\"<datetime>\",\
    \"batOnFailure\":\"continue\",\"batCount\":2,\"batTotal\":\"8.00\",\
    \"batPrice\":\"8.00\",\"counts\":{\"pending\":<int>,\"successful\":<int>,\
    \"failed\":<int>,\"reversed\":<int>},\"currency\":\"NGN\"";

fn sending() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(SEND, rule, Body(body), expect);
    let two = |name: &str| [item(&format!("{name}-1")), item(&format!("{name}-2"))];
    let envelope = "\"code\":202,\"status\":\"success\",\"message\":\"<text>\"";
    let named = "\"mrcReference\":\"good-news\"";
    vec![
        case(
            "it needs credentials",
            order("bad", &two("bad"), &[]),
            Expect::Credentials,
        ),
        case(
            "two messages, every field in order",
            order("good-news", &two("good-news"), &[]),
            Expect::Answer(202, format!("{{{envelope},{named},{ACCEPTED}}}")),
        ),
        case(
            "two messages of a template",
            of_template("kept-news", &two("kept-news"), TEMPLATE),
            Expect::Answer(
                202,
                format!("{{{envelope},\"mrcReference\":\"kept-news\",{ACCEPTED}}}"),
            ),
        ),
    ]
}

fn of_templates() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(SEND, rule, Body(body), expect);
    let changed = |changes: &[(&str, &str)]| order("bad", &[item("bad-1")], changes);
    vec![
        case(
            "a template that is not there",
            of_template("bad", &[item("bad-1")], "1"),
            params(404, None, &["tplIdentifier"]),
        ),
        case(
            "a flow is no template",
            of_template("bad", &[item("bad-1")], FLOW_NUMBER),
            params(404, None, &["tplIdentifier"]),
        ),
        case(
            "a number of no template",
            of_template("bad", &[item("bad-1")], "\"x\""),
            params(400, None, &["tplIdentifier"]),
        ),
        case(
            "a text beside a template",
            changed(&[("tplIdentifier", TEMPLATE)]),
            params(400, None, &["message"]),
        ),
    ]
}

fn refused() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(SEND, rule, Body(body), expect);
    let one = |from: &str, to: &str| order("bad", &[item("bad-1").replace(from, to)], &[]);
    let many: Vec<_> = (0..1_001).map(|_| "{}".to_owned()).collect();
    let changed = |changes: &[(&str, &str)]| order("bad", &[item("bad-1")], changes);
    vec![
        case(
            "everything that is wrong is named at once",
            object(
                &[
                    ("items", "[{\"fields\":[{}]}]"),
                    ("batOnFailure", "\"retry\""),
                ],
                &[],
            ),
            params(
                400,
                Some((851, "Country")),
                &[
                    "mrcReference",
                    "batOnFailure",
                    "countryCode",
                    "sender",
                    "type",
                    "message",
                    "items.0.mrcReference",
                    "items.0.number",
                    "items.0.fields.0.name",
                    "items.0.fields.0.value",
                ],
            ),
        ),
        case(
            "no messages",
            order("bad", &[], &[]),
            params(400, None, &["items"]),
        ),
        case(
            "more than a thousand messages",
            order("bad", &many, &[]),
            Expect::Request(413),
        ),
        case(
            "a number that its country does not have",
            one("+2348031230000", "+2341231230000"),
            params(400, Some((822, "Phone Number")), &["items.0.number"]),
        ),
        case(
            "a field that the message does not name",
            one("\"first\"", "\"last\""),
            params(400, None, &["items.0.fields"]),
        ),
        case(
            "a brace that is no place of a field",
            changed(&[("message", "\"Dear {first.\"")]),
            params(400, None, &["message"]),
        ),
        case(
            "a sender of another account",
            changed(&[("sender", "\"999999999999\"")]),
            params(404, Some((870, "Sender ID")), &["sender"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            one("\"name\"", "\"x\":1,\"name\""),
            params(400, None, &["items.0.fields.0.x"]),
        )),
    ]
}

/// The last of them, as its report shows it.
const LAST: &str = "\"mrcReference\":\"good-news-2\",\"txnReference\":<int>,\
                   \"txnStatus\":\"<text>\",\"txnDate\":\"<datetime>\",\
                   \"gtwStatus\":\"<text>\",\"dlvStatus\":\"<word>\",\"number\":\"2348031230000\",\
                   \"network\":\"MTN\",\"sender\":\"CornerShop\",\"type\":\"text\",\
                   \"content\":\"Dear Ada.\",\"cost\":\"4.00\",\"currency\":\"NGN\"";

/// What is made of the batch that was accepted.
fn batches() -> Vec<Case> {
    let batches = BatchCases {
        list: LIST,
        report: REPORT,
        cancel: CANCEL,
        run: "good-news",
        accepted: ACCEPTED,
        count: 2,
        last: LAST,
    };
    batches.all()
}
