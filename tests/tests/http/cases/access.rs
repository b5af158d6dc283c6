//! Cases of keys and users.

use super::shared::{ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::{CODE, EMAIL, KEY, KEY_NAME, USER};

const KEYS: Route = Route(Verb::Post, "/account/keys");
const REVOKE: Route = Route(Verb::Post, "/account/keys/revoke");
const USERS: Route = Route(Verb::Get, "/account/users");
const INVITE: Route = Route(Verb::Post, "/account/users");
const ACTIVATE: Route = Route(Verb::Post, "/account/users/activate");
const DISABLE: Route = Route(Verb::Post, "/account/users/disable");

const ADDRESS: (u16, &str) = (821, "Email Address");
const ACTIVATION: (u16, &str) = (805, "Activation Code");

/// What is unknown: no key and no user has such a number.
const NO_KEY: &str = "\"0000000000000000\"";
const NO_USER: &str = "9007199254740991";

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        making(),
        revoking(),
        inviting(),
        listing(),
        activating(),
        disabling(),
    ];
    all.into_iter().flatten().collect()
}

/// A user as shown, of a status and with when the code expires.
fn user(status: &str, expires: &str) -> String {
    format!(
        "\"usrIdentifier\":<int>,\"usrEmail\":\"<text>\",\"usrName\":\"Ada\",\
         \"usrRole\":\"viewer\",\"usrScopes\":[\"read\"],\"usrStatus\":\"{status}\",\
         \"usrCreated\":\"<datetime>\",\"usrExpires\":{expires}"
    )
}

/// What makes a key named anew.
fn wanted(changes: &[(&str, &str)]) -> String {
    let name = format!("\"{KEY_NAME}\"");
    let good = [("keyName", &*name), ("keyScopes", "[\"read\",\"pay\"]")];
    object(&good, changes)
}

fn made(networks: &str, expires: &str, signed: (&str, &str)) -> Expect {
    let (is_signed, secret) = signed;
    let body = format!(
        "{{\"code\":201,\"status\":\"success\",\"message\":\"<text>\",\
         \"keyIdentifier\":\"<text>\",\"keyName\":\"<text>\",\"keyPrefix\":\"<text>\",\
         \"keyScopes\":[\"read\",\"pay\"],\"keyAllowlist\":[{networks}],\
         \"keyExpires\":{expires},\"keySigned\":{is_signed},\"usrIdentifier\":null,\
         \"keyMadeBy\":\"<text>\",\"keyCreated\":\"<datetime>\",\"keySecret\":\"<text>\",\
         \"keySigningSecret\":{secret}}}"
    );
    Expect::Answer(201, body)
}

fn making() -> Vec<Case> {
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(KEYS, rule, Body(wanted(changes)), expect)
    };
    let narrow = [
        (
            "keyAllowlist",
            "[\"2001:db8::/32\",\"203.0.113.0/24\",\"192.0.2.7\"]",
        ),
        ("keyExpires", "\"2099-12-31T23:59:59Z\""),
        ("keySigned", "true"),
    ];
    let unsigned = ("false", "null");
    let networks = "\"192.0.2.7/32\",\"203.0.113.0/24\",\"2001:db8::/32\"";
    let wrong = [
        ("keyName", ""),
        ("keyScopes", "[\"root\"]"),
        ("keyAllowlist", "\"10.0.0.1/8\""),
        ("keyExpires", "\"soon\""),
        ("usrIdentifier", "\"x\""),
        ("keySigned", "1"),
    ];
    let everywhere = "\"0.0.0.0/0\",\"::/0\"";
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "a key, every field in order",
            &[],
            made(everywhere, "null", unsigned),
        ),
        case(
            "a key on narrow terms",
            &narrow,
            made(networks, "\"<datetime>\"", ("true", "\"<text>\"")),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, None, &wrong.map(|(name, _)| name)),
        ),
        case(
            "an end in the past",
            &[("keyExpires", "\"01-01-2020 00:00:00\"")],
            params(400, None, &["keyExpires"]),
        ),
        case(
            "a user there is not",
            &[("usrIdentifier", NO_USER)],
            params(404, None, &["usrIdentifier"]),
        ),
        case(
            "a user who is not active",
            &[("usrIdentifier", USER)],
            params(400, None, &["usrIdentifier"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn revoking() -> Vec<Case> {
    let case = |rule: &str, key: &str, expect| {
        let body = object(&[], &[("keyIdentifier", key)]);
        Case::new(REVOKE, rule, Body(body), expect)
    };
    let key = format!("\"{KEY}\"");
    let revoked = "\"keyIdentifier\":\"<text>\",\"keyRevoked\":\"<datetime>\"";
    vec![
        case("it needs credentials", &key, Expect::Credentials),
        case("a key is revoked", &key, success(revoked)),
        case("no such key", NO_KEY, params(404, None, &["keyIdentifier"])),
        case("no key named", "", params(400, None, &["keyIdentifier"])),
        case("no number", "7", params(400, None, &["keyIdentifier"])),
    ]
}

fn inviting() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(INVITE, rule, Body(body), expect);
    let email = format!("\"{EMAIL}\"");
    let good = [
        ("usrEmail", &*email),
        ("usrName", "\"Ada\""),
        ("usrRole", "\"viewer\""),
    ];
    let invited = format!(
        "{{\"code\":201,\"status\":\"success\",\"message\":\"<text>\",{},\
         \"activationCode\":\"<text>\"}}",
        user("Invited", "\"<datetime>\"")
    );
    let wrong = [("usrEmail", "\"ada\""), ("usrName", "\" \"")];
    vec![
        case(
            "it needs credentials",
            object(&good, &[]),
            Expect::Credentials,
        ),
        case(
            "a user, every field in order",
            object(&good, &[]),
            Expect::Answer(201, invited),
        ),
        case(
            "everything that is wrong is named at once",
            object(&wrong, &[("usrRole", "\"root\"")]),
            params(400, Some(ADDRESS), &["usrEmail", "usrName", "usrRole"]),
        ),
    ]
}

fn listing() -> Vec<Case> {
    let one = user("Invited", "\"<datetime>\"");
    let page = format!(
        "\"users\":[{{{one}}}],\"metadata\":{{\"total\":1}},\
         \"query\":{{\"length\":1,\"offset\":0,\"total\":<int>,\"found\":<int>}}"
    );
    let own = format!("usrIdentifier={USER}");
    vec![
        ask(USERS, "it needs credentials", "", Expect::Credentials),
        ask(USERS, "one user", &own, success(&one)),
        ask(
            USERS,
            "a part of the users",
            "length=1&sort=desc&orderby=usrCreated",
            success(&page),
        ),
        ask(
            USERS,
            "no such user",
            &format!("usrIdentifier={NO_USER}"),
            params(404, None, &["usrIdentifier"]),
        ),
        ask(
            USERS,
            "everything that is wrong is named at once",
            "usrIdentifier=x&offset=-1&length=0&orderby=usrName&sort=up",
            params(
                400,
                None,
                &["usrIdentifier", "offset", "length", "orderby", "sort"],
            ),
        ),
    ]
}

fn activating() -> Vec<Case> {
    let case = |rule: &str, (user, code): (&str, &str), expect| {
        let body = object(&[("usrIdentifier", user), ("activationCode", code)], &[]);
        Case::new(ACTIVATE, rule, Body(body), expect)
    };
    let code = format!("\"{CODE}\"");
    let active = user("Active", "null");
    vec![
        case("it needs credentials", (USER, &code), Expect::Credentials),
        case("the right code", (USER, &code), success(&active)),
        case(
            "a wrong code",
            (USER, "\"00000-00000\""),
            params(400, Some(ACTIVATION), &["activationCode"]),
        ),
        case(
            "no such user",
            (NO_USER, &code),
            params(404, None, &["usrIdentifier"]),
        ),
        case(
            "nothing named",
            ("", ""),
            params(400, Some(ACTIVATION), &["usrIdentifier", "activationCode"]),
        ),
    ]
}

fn disabling() -> Vec<Case> {
    let case = |rule: &str, user: &str, expect| {
        let body = object(&[("usrIdentifier", user)], &[]);
        Case::new(DISABLE, rule, Body(body), expect)
    };
    let disabled = user("Disabled", "null");
    vec![
        case("it needs credentials", USER, Expect::Credentials),
        case("a user is disabled", USER, success(&disabled)),
        case(
            "no such user",
            NO_USER,
            params(404, None, &["usrIdentifier"]),
        ),
        case("no user named", "", params(400, None, &["usrIdentifier"])),
    ]
}
