//! Cases of bulk messages.

use super::shared::{ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::orders::SENDER;

const SEND: Route = Route(Verb::Post, "/messaging/bulk");
const LIST: Route = Route(Verb::Get, "/messaging/bulk");
const REPORT: Route = Route(Verb::Get, "/messaging/bulk/transaction");
const CANCEL: Route = Route(Verb::Post, "/messaging/bulk/cancel");

pub(crate) fn cases() -> Vec<Case> {
    let all = [sending(), refused(), listing(), reports(), cancelling()];
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

fn listing() -> Vec<Case> {
    let part = format!(
        "\"batches\":[{{\"mrcReference\":\"good-news\",{ACCEPTED}}}],\
         \"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}}"
    );
    vec![
        ask(LIST, "it needs credentials", "", Expect::Credentials),
        ask(LIST, "a part of the list", "length=1", success(&part)),
        ask(
            LIST,
            "everything that is wrong is named at once",
            "length=101&offset=x&orderby=price&sort=",
            params(400, None, &["offset", "length", "orderby", "sort"]),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let message = "\"mrcReference\":\"good-news-2\",\"txnReference\":<int>,\
                   \"txnStatus\":\"<text>\",\"txnDate\":\"<datetime>\",\
                   \"gtwStatus\":\"<text>\",\"dlvStatus\":\"<word>\",\"number\":\"2348031230000\",\
                   \"network\":\"MTN\",\"sender\":\"CornerShop\",\"type\":\"text\",\
                   \"content\":\"Dear Ada.\",\"cost\":\"4.00\",\"currency\":\"NGN\"";
    let part = format!(
        "\"mrcReference\":\"good-news\",{ACCEPTED},\"items\":[{{{message}}}],\
         \"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":1,\"total\":2,\"found\":2}}"
    );
    let mut cases = bad_reports(REPORT, "good-news");
    cases.push(ask(
        REPORT,
        "a part of the messages, every field in order",
        "mrcReference=good-news&offset=1&length=1",
        success(&part),
    ));
    cases.push(ask(
        REPORT,
        "a form that there is not",
        "mrcReference=good-news&format=pdf",
        params(400, None, &["format"]),
    ));
    cases
}

fn cancelling() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(CANCEL, rule, Body(body), expect);
    let named = |run: &str| object(&[("mrcReference", &format!("\"{run}\""))], &[]);
    let shown = format!("\"mrcReference\":\"good-news\",{ACCEPTED}");
    vec![
        case(
            "it needs credentials",
            named("good-news"),
            Expect::Credentials,
        ),
        case("what was sent stays", named("good-news"), success(&shown)),
        case(
            "nothing there",
            named("bad"),
            params(404, None, &["mrcReference"]),
        ),
        case(
            "no reference",
            "{}".to_owned(),
            params(400, None, &["mrcReference"]),
        ),
    ]
}
