//! Cases of the four operations of transfers abroad.

use super::shared::{self, ViolationCase, ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;

const PAY: Route = Route(Verb::Post, "/transfer/international");
const QUOTE: Route = Route(Verb::Post, "/transfer/international/quote");
const REPORT: Route = Route(Verb::Get, "/transfer/international/transaction");

const AMOUNT: Option<ViolationCase> = Some((814, "Amount"));
const COUNTRY: Option<ViolationCase> = Some((851, "Country"));
const BANK: Option<ViolationCase> = Some((840, "Bank Provider"));
const ACCOUNT: Option<ViolationCase> = Some((842, "Bank Account"));
const PROVIDER: ViolationCase = (820, "Service Provider");

const ORDER: [(&str, &str); 7] = [
    ("mrcReference", "\"bad\""),
    ("qteIdentifier", "\"{quote}\""),
    ("accountName", "\"Ama Mensah\""),
    ("bankIdentifier", "\"GCBLGHAC\""),
    ("accountNumber", "\"1441000126789\""),
    ("address", "\"12 High Street, Accra\""),
    ("txnPurpose", "\"goods\""),
];

const ASKED: [(&str, &str); 3] = [
    ("countryCode", "288"),
    ("dstCurrency", "\"GHS\""),
    ("srcAmount", "\"20,000.00\""),
];

pub(crate) fn cases() -> Vec<Case> {
    let all = [
        quoting(),
        bad_quotes(),
        paying(),
        reports(),
        bad_values(),
        bad_rest(),
    ];
    all.into_iter().flatten().collect()
}

fn quoting() -> Vec<Case> {
    let shown = |source: &str, destination: &str, fee: &str, price: &str| {
        success(&format!(
            "\"qteIdentifier\":\"<text>\",\"countryCode\":\"288\",\"srcCurrency\":\"NGN\",\
             \"srcAmount\":\"{source}\",\"dstCurrency\":\"GHS\",\"dstAmount\":\"{destination}\",\
             \"qteRate\":\"0.0085\",\"qteFee\":\"{fee}\",\"price\":\"{price}\",\
             \"currency\":\"NGN\",\"qteExpires\":\"<datetime>\",\"qteArrives\":\"<datetime>\""
        ))
    };
    let asked = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(QUOTE, rule, Body(object(&ASKED, changes)), expect)
    };
    let arriving = "{\"countryCode\":288,\"srcCurrency\":\"NGN\",\"dstCurrency\":\"GHS\",\
                    \"dstAmount\":850}";
    vec![
        asked("it needs credentials", &[], Expect::Credentials),
        asked(
            "what is converted",
            &[],
            shown("20,000.00", "170.00", "752.50", "20,752.50"),
        ),
        Case::new(
            QUOTE,
            "what arrives",
            Body(arriving.to_owned()),
            shown("100,000.00", "850.00", "1,612.50", "101,612.50"),
        ),
    ]
}

fn bad_quotes() -> Vec<Case> {
    let bad = |rule: &str, changes: &[(&str, &str)], expect| {
        Case::new(QUOTE, rule, Body(object(&ASKED, changes)), expect)
    };
    vec![
        bad(
            "nothing is sent there",
            &[("countryCode", "566")],
            params(400, COUNTRY, &["countryCode"]),
        ),
        bad(
            "not in this currency",
            &[("dstCurrency", "\"USD\"")],
            params(400, None, &["dstCurrency"]),
        ),
        bad(
            "a currency that nothing is sent in",
            &[("dstCurrency", "\"NGN\"")],
            params(400, None, &["dstCurrency"]),
        ),
        bad(
            "another currency than the account's",
            &[("srcCurrency", "\"USD\"")],
            params(400, None, &["srcCurrency"]),
        ),
        bad(
            "below the smallest",
            &[("srcAmount", "\"999.99\"")],
            params(400, AMOUNT, &["srcAmount"]),
        ),
        bad(
            "above the largest",
            &[("srcAmount", "\"10,000,000.01\"")],
            params(400, AMOUNT, &["srcAmount"]),
        ),
        bad(
            "both amounts",
            &[("dstAmount", "1")],
            params(400, AMOUNT, &["dstAmount"]),
        ),
        bad(
            "nothing is sent there now",
            &[("countryCode", "710"), ("dstCurrency", "\"ZAR\"")],
            Expect::System(503, PROVIDER),
        ),
        Case::new(
            QUOTE,
            "decimals that the currency has not",
            Body(
                "{\"countryCode\":204,\"dstCurrency\":\"XOF\",\"dstAmount\":\"1000.50\"}"
                    .to_owned(),
            ),
            params(400, AMOUNT, &["dstAmount"]),
        ),
        Case::new(
            QUOTE,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, COUNTRY, &["countryCode", "dstCurrency", "srcAmount"]),
        ),
    ]
}

/// What a transfer is answered, and its report.
fn answer(reference: &str) -> Expect {
    success(&format!(
        "\"mrcReference\":\"{reference}\",\"txnReference\":<int>,\"txnStatus\":\"Successful\",\
         \"txnDate\":\"<datetime>\",\"gtwStatus\":\"Delivered\",\"intStatus\":\"Delivered\",\
         \"countryCode\":\"288\",\"accountName\":\"Ama Mensah\",\
         \"bankIdentifier\":\"GCBLGHAC\",\"accountNumber\":\"1441000126789\",\
         \"txnPurpose\":\"goods\",\"srcCurrency\":\"NGN\",\"srcAmount\":\"2,000.00\",\
         \"dstCurrency\":\"GHS\",\"dstAmount\":\"17.00\",\"qteRate\":\"0.0085\",\
         \"txnCharges\":\"559.00\",\"price\":\"2,559.00\",\"currency\":\"NGN\""
    ))
}

fn paying() -> Vec<Case> {
    let body = |changes: &[(&str, &str)]| Body(object(&ORDER, changes));
    vec![
        Case::new(PAY, "it needs credentials", body(&[]), Expect::Credentials),
        Case::new(
            PAY,
            "every field, in order",
            body(&[("mrcReference", "\"good-abroad\"")]),
            answer("good-abroad"),
        ),
    ]
}

fn reports() -> Vec<Case> {
    let mut cases = bad_reports(REPORT, "good-abroad");
    let query = "mrcReference=good-abroad";
    let expect = answer("good-abroad");
    cases.push(ask(REPORT, "the fields of the transfer", query, expect));
    cases
}

fn bad(rule: &str, changes: &[(&str, &str)], expect: Expect) -> Case {
    shared::bad((PAY, &ORDER), rule, changes, expect)
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
        of(
            "qteIdentifier",
            &["\"\"", "7", "\"qte_\"", "\"qte_AAAA\"", "null"],
            None,
        ),
        of("accountName", &["\"A\"", "7", "null"], None),
        of(
            "bankIdentifier",
            &["\"GCBLGHA\"", "7", "\"DEUTDEFF\""],
            BANK,
        ),
        of("accountNumber", &["\"12 34\"", "[]", "\"123\""], ACCOUNT),
        of("address", &["\"x\"", "7", "null"], None),
        of("txnPurpose", &["\"other\"", "7", "null"], None),
    ]
    .concat()
}

fn bad_rest() -> Vec<Case> {
    let all = [
        "mrcReference",
        "qteIdentifier",
        "accountName",
        "bankIdentifier",
        "accountNumber",
        "address",
        "txnPurpose",
    ];
    vec![
        bad(
            "an IBAN beside a number",
            &[("iban", "\"DE89370400440532013000\"")],
            params(400, BANK, &["bankIdentifier", "accountNumber"]),
        ),
        Case::new(
            PAY,
            "everything that is missing is named at once",
            Body("{}".to_owned()),
            params(400, BANK, &all),
        ),
        strictly(bad(
            "strict: every unknown attribute is named",
            &[("amount", "\"5\"")],
            params(400, None, &["amount"]),
        )),
    ]
}
