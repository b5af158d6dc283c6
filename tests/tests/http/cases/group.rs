//! Cases of groups of bank accounts.

use super::shared::{ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::GROUP;

const CREATE: Route = Route(Verb::Post, "/transfer/group");
const LIST: Route = Route(Verb::Get, "/transfer/group");
const UPDATE: Route = Route(Verb::Post, "/transfer/group/update");
const DELETE: Route = Route(Verb::Post, "/transfer/group/delete");

const ACCOUNT: (u16, &str) = (842, "Bank Account");

const MEMBER: &str = "{\"bankIdentifier\":\"NGNIP000013\",\"accountNumber\":\"0123476789\",\
    \"accountName\":\"Ada\"}";

pub(crate) fn cases() -> Vec<Case> {
    let all = [creating(), listing(), changing(), deleting()];
    all.into_iter().flatten().collect()
}

fn group(members: &[&str]) -> String {
    let members = format!("[{}]", members.join(","));
    object(&[("grpName", "\"Staff\""), ("members", &members)], &[])
}

fn creating() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(CREATE, rule, Body(body), expect);
    let many = vec!["{}"; 1_001];
    let made = format!(
        "{{\"code\":201,\"status\":\"success\",\"message\":\"<text>\",\
         \"grpIdentifier\":<int>,\"grpName\":\"Staff\",\"version\":1,\"grpCount\":1,\
         \"grpCreated\":\"<datetime>\",\"grpUpdated\":\"<datetime>\",\"members\":[{MEMBER}]}}"
    );
    vec![
        case(
            "it needs credentials",
            group(&[MEMBER]),
            Expect::Credentials,
        ),
        case(
            "a group, every field in order",
            group(&[MEMBER]),
            Expect::Answer(201, made),
        ),
        case(
            "everything that is wrong is named at once",
            object(&[("members", "[{}]")], &[]),
            params(
                400,
                Some((840, "Bank Provider")),
                &[
                    "grpName",
                    "members.0.bankIdentifier",
                    "members.0.accountNumber",
                    "members.0.accountName",
                ],
            ),
        ),
        case(
            "an account twice",
            group(&[MEMBER, MEMBER]),
            params(400, Some(ACCOUNT), &["members.1.accountNumber"]),
        ),
        case("no members", group(&[]), params(400, None, &["members"])),
        case(
            "more than a thousand members",
            group(&many),
            Expect::Request(413),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            group(&[&MEMBER.replacen('{', "{\"x\":1,", 1)]),
            params(400, None, &["members.0.x"]),
        )),
    ]
}

fn listing() -> Vec<Case> {
    let part = "\"groups\":[{\"grpIdentifier\":<int>,\"grpName\":\"Staff\",\"version\":1,\
                \"grpCount\":1,\"grpCreated\":\"<datetime>\",\"grpUpdated\":\"<datetime>\"}],\
                \"metadata\":{\"total\":1},\
                \"query\":{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}";
    vec![
        ask(LIST, "it needs credentials", "", Expect::Credentials),
        ask(LIST, "a part of the list", "length=1", success(part)),
        ask(
            LIST,
            "nothing there",
            "grpIdentifier=1",
            params(404, None, &["grpIdentifier"]),
        ),
        ask(
            LIST,
            "everything that is wrong is named at once",
            "grpIdentifier=x&length=101&orderby=grpName",
            params(400, None, &["grpIdentifier", "length", "orderby"]),
        ),
    ]
}

fn changing() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(UPDATE, rule, Body(body), expect);
    let named = group(&[MEMBER]).replacen('{', "{\"grpIdentifier\":1,\"version\":1,", 1);
    let of = |version: u32| {
        let more = format!("{{\"grpIdentifier\":{GROUP},\"version\":{version},");
        group(&[MEMBER]).replacen('{', &more, 1)
    };
    let changed = "\"grpIdentifier\":<int>,\"grpName\":\"Staff\",\"version\":2,\"grpCount\":1,\
         \"grpCreated\":\"<datetime>\",\"grpUpdated\":\"<datetime>\",\"members\":[";
    vec![
        case(
            "the group in its next version",
            of(1),
            success(&format!("{changed}{MEMBER}]")),
        ),
        case(
            "another version is not replaced",
            of(2),
            params(409, None, &["version"]),
        ),
        case("it needs credentials", named.clone(), Expect::Credentials),
        case(
            "nothing there",
            named,
            params(404, None, &["grpIdentifier"]),
        ),
        case(
            "everything that is wrong is named at once",
            "{\"version\":0}".to_owned(),
            params(
                400,
                None,
                &["grpIdentifier", "version", "grpName", "members"],
            ),
        ),
    ]
}

fn deleting() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(DELETE, rule, Body(body), expect);
    let named = "{\"grpIdentifier\":1,\"version\":1}".to_owned();
    let of = |version: u32| format!("{{\"grpIdentifier\":{GROUP},\"version\":{version}}}");
    vec![
        case(
            "the group is gone",
            of(1),
            success("\"grpIdentifier\":<int>"),
        ),
        case(
            "another version is not deleted",
            of(2),
            params(409, None, &["version"]),
        ),
        case("it needs credentials", named.clone(), Expect::Credentials),
        case(
            "nothing there",
            named,
            params(404, None, &["grpIdentifier"]),
        ),
        case(
            "everything that is wrong is named at once",
            "{}".to_owned(),
            params(400, None, &["grpIdentifier", "version"]),
        ),
    ]
}
