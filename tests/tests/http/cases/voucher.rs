//! Cases of vouchers, gift cards, coupons and promo codes.

use super::shared::{self, ViolationCase, ask, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::{REDEEMED, VOUCHER, VOUCHER_CODE};

const CREATE: Route = Route(Verb::Post, "/voucher/create");
const LOOKUP: Route = Route(Verb::Get, "/voucher/lookup");
const REDEEM: Route = Route(Verb::Post, "/voucher/redeem");
const ROLLBACK: Route = Route(Verb::Post, "/voucher/rollback");
const VOID: Route = Route(Verb::Post, "/voucher/void");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));

/// A code that is right and of no batch, and one whose check is wrong.
const UNKNOWN: &str = "01234-56789-ABCDE-FGHJT";
const MISTYPED: &str = "01234-56789-ABCDE-FGHJX";

const BATCH: [(&str, &str); 4] = [
    ("mrcReference", "\"bad\""),
    ("vchType", "\"giftcard\""),
    ("vchAmount", "\"500.00\""),
    ("vchExpiry", "\"2029-12-31T00:00:00Z\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        making(),
        bad_values(),
        looking_up(),
        redeeming(),
        rolling_back(),
        voiding(),
    ];
    all.into_iter().flatten().collect()
}

/// Codes that were made: each may have a prefix.
fn made(reference: &str, (kind, price): (&str, &str), count: usize) -> Expect {
    let one = "{\"vchCode\":\"<text>\",\"vchIdentifier\":\"<text>\",\"vchStatus\":\"Active\"}";
    let codes = vec![one; count].join(",");
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"batReference\":<int>,\"txnDate\":\"<datetime>\",\
         \"vchType\":\"{kind}\",\"price\":\"{price}\",\"currency\":\"NGN\",\
         \"vouchers\":[{codes}]"
    ))
}

fn making() -> Vec<Case> {
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(CREATE, rule, Body(object(&BATCH, changes)), expect)
    };
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "two gift cards, every field in order",
            &[("mrcReference", "\"good-cards\""), ("vchCount", "2")],
            made("good-cards", ("giftcard", "1,000.00"), 2),
        ),
        case(
            "a promo code with its rules",
            &[
                ("mrcReference", "\"good-promo\""),
                ("vchType", "\"Promo\""),
                ("vchAmount", ""),
                ("vchPercent", "\"12.5\""),
                ("vchUses", "100"),
                ("vchServices", "[\"airtime\",\"cabletv\"]"),
                ("vchMinimum", "\"100.00\""),
                ("vchMaximum", "50000"),
                ("vchPrefix", "\"sale\""),
                ("currency", "\"NGN\""),
            ],
            made("good-promo", ("promo", "0.00"), 1),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn bad_values() -> Vec<Case> {
    let bad = |changes: &[(&str, &str)], expect| {
        shared::bad((CREATE, &BATCH), "a value that is none", changes, expect)
    };
    let of = |name: &'static str, values: &[&str], about| {
        let case = |value: &&str| bad(&[(name, *value)], params(400, about, &[name]));
        values.iter().map(case).collect::<Vec<_>>()
    };
    let mut cases = [
        of("mrcReference", &["\"a b\"", "\"\"", "null"], None),
        of("vchCount", &["0", "1001", "\"1.5\"", "\"x\""], None),
        of("vchAmount", &["0", "\"-1\"", "\"1.001\"", "null"], AMOUNT),
        of("vchPercent", &["5"], None),
        of("vchUses", &["1", "0"], None),
        of(
            "vchExpiry",
            &[
                "\"soon\"",
                "\"2020-01-01T00:00:00Z\"",
                "\"2999-01-01T00:00:00Z\"",
            ],
            None,
        ),
        of("vchServices", &["\"yachts\"", "[\"airtime\",\"\"]"], None),
        of("vchMinimum", &["0", "\"x\""], AMOUNT),
        of("vchMaximum", &["0", "\"x\""], AMOUNT),
        of("vchPrefix", &["\"A-B\"", "\"\"", "\"ABCDEFGHI\""], None),
        of("currency", &["\"USD\"", "\"\"", "7"], None),
    ]
    .concat();
    cases.push(bad(
        &[("vchType", "\"token\""), ("vchUses", "5")],
        params(400, None, &["vchType"]),
    ));
    cases.push(bad(
        &[
            ("mrcReference", ""),
            ("vchType", ""),
            ("vchAmount", ""),
            ("vchExpiry", ""),
        ],
        params(
            400,
            AMOUNT,
            &["mrcReference", "vchType", "vchAmount", "vchExpiry"],
        ),
    ));
    cases.push(bad(
        &[("vchMinimum", "2"), ("vchMaximum", "1")],
        params(400, AMOUNT, &["vchMaximum"]),
    ));
    cases
}

fn looking_up() -> Vec<Case> {
    let ask = |rule: &str, query: &str, expect| ask(LOOKUP, rule, query, expect);
    let coupon = |discount: &str| {
        success(&format!(
            "\"vchIdentifier\":\"<text>\",\"vchType\":\"coupon\",\"vchStatus\":\"Active\",\
             \"vchBalance\":\"0.00\",\"vchDiscount\":{discount},\"currency\":\"NGN\",\
             \"vchAmount\":\"500.00\",\"vchPercent\":null,\"vchUses\":4,\
             \"vchExpiry\":\"<datetime>\",\"vchServices\":[],\"vchMinimum\":null,\
             \"vchMaximum\":null,\"version\":2"
        ))
    };
    let of = |rest: &str| format!("vchCode={VOUCHER_CODE}{rest}");
    let named = |code: &str| format!("vchCode={code}");
    vec![
        ask("it needs credentials", &of(""), Expect::Credentials),
        ask("every field, in order", &of(""), coupon("null")),
        ask(
            "what it takes off",
            &of("&amount=250.50&service=airtime"),
            coupon("\"250.50\""),
        ),
        ask(
            "a code there is not",
            &named(UNKNOWN),
            params(404, None, &["vchCode"]),
        ),
        ask(
            "a mistyped code",
            &named(MISTYPED),
            params(400, None, &["vchCode"]),
        ),
        ask("no code", "", params(405, None, &["vchCode"])),
        ask(
            "everything that is wrong is named at once",
            "vchCode=x&amount=0&service=yachts",
            params(400, AMOUNT, &["vchCode", "amount", "service"]),
        ),
        strictly(ask(
            "strict: every unknown attribute is named",
            &of("&x=1"),
            params(400, None, &["x"]),
        )),
    ]
}

fn redeeming() -> Vec<Case> {
    let code = format!("\"{VOUCHER_CODE}\"");
    let used = [
        ("mrcReference", "\"bad\""),
        ("vchCode", code.as_str()),
        ("amount", "\"200.00\""),
    ];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(REDEEM, rule, Body(object(&used, changes)), expect)
    };
    let (unknown, mistyped) = (format!("\"{UNKNOWN}\""), format!("\"{MISTYPED}\""));
    let redeemed = "\"mrcReference\":\"good-redeem\",\"vchIdentifier\":\"<text>\",\
                    \"txnDate\":\"<datetime>\",\"mrcTarget\":null,\"amount\":\"200.00\",\
                    \"vchDiscount\":\"200.00\",\"vchReturned\":\"0.00\",\
                    \"vchStatus\":\"Active\",\"vchBalance\":\"0.00\",\"vchUses\":3,\
                    \"currency\":\"NGN\"";
    let wrong = [
        ("mrcReference", "\"a b\""),
        ("vchCode", "\"x\""),
        ("amount", "0"),
        ("mrcTarget", "\"\""),
    ];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "every field, in order",
            &[("mrcReference", "\"good-redeem\"")],
            success(redeemed),
        ),
        case(
            "a code there is not",
            &[("vchCode", &unknown)],
            params(404, None, &["vchCode"]),
        ),
        case(
            "a mistyped code",
            &[("vchCode", &mistyped)],
            params(400, None, &["vchCode"]),
        ),
        case(
            "a payment there is not",
            &[("mrcTarget", "\"no-such-payment\"")],
            params(400, None, &["mrcTarget"]),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, AMOUNT, &wrong.map(|(name, _)| name)),
        ),
        case(
            "everything that is missing is named at once",
            &[("mrcReference", ""), ("vchCode", ""), ("amount", "")],
            params(400, AMOUNT, &["mrcReference", "vchCode", "amount"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn rolling_back() -> Vec<Case> {
    let original = format!("\"{REDEEMED}\"");
    let back = [
        ("mrcReference", "\"bad\""),
        ("mrcOriginal", original.as_str()),
        ("reason", "\"Returned\""),
    ];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(ROLLBACK, rule, Body(object(&back, changes)), expect)
    };
    let done = "\"mrcReference\":\"good-rollback\",\"mrcOriginal\":\"<text>\",\
                \"vchIdentifier\":\"<text>\",\"txnDate\":\"<datetime>\",\
                \"vchDiscount\":\"100.00\",\"vchStatus\":\"Active\",\
                \"vchBalance\":\"0.00\",\"vchUses\":5,\"currency\":\"NGN\",\
                \"reason\":\"Returned\"";
    let wrong = [
        ("mrcReference", "\"a b\""),
        ("mrcOriginal", "\"\""),
        ("reason", "\"\""),
    ];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case(
            "every field, in order",
            &[("mrcReference", "\"good-rollback\"")],
            success(done),
        ),
        case(
            "a redemption there is not",
            &[("mrcOriginal", "\"no-such-redemption\"")],
            params(404, None, &["mrcOriginal"]),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, None, &wrong.map(|(name, _)| name)),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}

fn voiding() -> Vec<Case> {
    let id = format!("\"{VOUCHER}\"");
    let ended = [("vchIdentifier", id.as_str()), ("reason", "\"Lost\"")];
    let case = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(VOID, rule, Body(object(&ended, changes)), expect)
    };
    let done = "\"vchIdentifier\":\"<text>\",\"vchStatus\":\"Void\",\"vchBalance\":\"0.00\",\
                \"currency\":\"NGN\",\"version\":3";
    let wrong = [
        ("vchIdentifier", "\"7\""),
        ("version", "0"),
        ("reason", "\"\""),
    ];
    vec![
        case("it needs credentials", &[], Expect::Credentials),
        case("every field, in order", &[], success(done)),
        case("as it was seen", &[("version", "2")], success(done)),
        case(
            "a version there is not",
            &[("version", "7")],
            params(409, None, &["version"]),
        ),
        case(
            "a code there is not",
            &[("vchIdentifier", "\"7-1\"")],
            params(404, None, &["vchIdentifier"]),
        ),
        case(
            "everything that is wrong is named at once",
            &wrong,
            params(400, None, &["vchIdentifier", "version", "reason"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            &[("x", "1")],
            params(400, None, &["x"]),
        )),
    ]
}
