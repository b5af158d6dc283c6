//! Cases of payroll.

use super::batches::BatchCases;
use super::shared::{ask, bad_reports, params, strictly, success};
use crate::case::Input::Body;
use crate::case::{Case, Expect, Route, object};
use http_server::Verb;
use tests::merchant::today;

const PAY: Route = Route(Verb::Post, "/transfer/payroll");
const LIST: Route = Route(Verb::Get, "/transfer/payroll");
const REPORT: Route = Route(Verb::Get, "/transfer/payroll/transaction");
const CANCEL: Route = Route(Verb::Post, "/transfer/payroll/cancel");
const SLIP: Route = Route(Verb::Get, "/transfer/payroll/payslip");

const AMOUNT: (u16, &str) = (814, "Amount");

pub(crate) fn cases() -> Vec<Case> {
    let all = [paying(), refused(), batches(), slips()];
    all.into_iter().flatten().collect()
}

/// The check digit of the account is that of its bank.
fn item(reference: &str) -> String {
    format!(
        "{{\"mrcReference\":\"{reference}\",\"staffIdentifier\":\"E-17\",\
         \"bankIdentifier\":\"NGNIP000013\",\"accountNumber\":\"0123476789\",\
         \"payGross\":\"15,000.00\",\"deductions\":[{{\"dedType\":\"paye\",\
         \"dedAmount\":\"3,000.00\"}},{{\"dedType\":\"other\",\"dedAmount\":\"2,000.00\"}}],\
         \"payNet\":\"10,000.00\"}}"
    )
}

fn order(run: &str, pay_date: &str, items: &[String]) -> String {
    let (run, pay_date) = (format!("\"{run}\""), format!("\"{pay_date}\""));
    let items = format!("[{}]", items.join(","));
    let period = ("payPeriod", "\"2026-11\"");
    let asked = [
        ("mrcReference", &*run),
        period,
        ("payDate", &pay_date),
        ("items", &items),
    ];
    object(&asked, &[])
}

/// A batch of one, which is sent as soon as it is stored. Salaries are exempt from the levy.
const ACCEPTED: &str = "\"batReference\":<int>,\"batStatus\":\"<text>\",\"batDate\":\"<datetime>\",\
    \"batOnFailure\":\"continue\",\"batCount\":1,\"batTotal\":\"10,000.00\",\
    \"batPrice\":\"10,026.88\",\"counts\":{\"pending\":<int>,\"successful\":<int>,\
    \"failed\":<int>,\"reversed\":<int>},\"currency\":\"NGN\"";

/// The salary as its report and its slip show it.
const SALARY: &str = "\"mrcReference\":\"good-payroll-1\",\"txnReference\":<int>,\
    \"txnStatus\":\"<text>\",\"bankFullname\":\"Guaranty Trust Bank Plc\",\
    \"accountNumber\":\"0123476789\",\"accountName\":\"<text>\",\
    \"txnAmount\":\"10,000.00\",\"txnNarration\":\"Salary 2026-11\",\
    \"txnCharges\":\"26.88\",\"txnFees\":\"0.00\",\"txnCurrency\":\"NGN\",\
    \"staffIdentifier\":\"E-17\",\"payPeriod\":\"2026-11\",\"payDate\":\"<date>\",\
    \"payGross\":\"15,000.00\",\"deductions\":[{\"dedType\":\"paye\",\
    \"dedAmount\":\"3,000.00\"},{\"dedType\":\"other\",\"dedAmount\":\"2,000.00\"}],\
    \"payNet\":\"10,000.00\",\"paySlipUrl\":\"<text>\"";

fn paying() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(PAY, rule, Body(body), expect);
    let envelope = "\"code\":202,\"status\":\"success\",\"message\":\"<text>\"";
    let named = "\"mrcReference\":\"good-payroll\"";
    vec![
        case(
            "it needs credentials",
            order("bad", &today(), &[item("bad-1")]),
            Expect::Credentials,
        ),
        case(
            "a salary, every field in order",
            order("good-payroll", &today(), &[item("good-payroll-1")]),
            Expect::Answer(202, format!("{{{envelope},{named},{ACCEPTED}}}")),
        ),
    ]
}

fn refused() -> Vec<Case> {
    let case = |rule: &str, body: String, expect| Case::new(PAY, rule, Body(body), expect);
    let one = |from: &str, to: &str| order("bad", &today(), &[item("bad-1").replace(from, to)]);
    let many: Vec<_> = (0..1_001).map(|_| "{}".to_owned()).collect();
    vec![
        case(
            "everything that is wrong is named at once",
            object(
                &[
                    ("items", "[{\"deductions\":[{}]}]"),
                    ("batOnFailure", "\"retry\""),
                ],
                &[],
            ),
            params(
                400,
                Some((840, "Bank Provider")),
                &[
                    "mrcReference",
                    "payPeriod",
                    "payDate",
                    "batOnFailure",
                    "items.0.mrcReference",
                    "items.0.staffIdentifier",
                    "items.0.bankIdentifier",
                    "items.0.accountNumber",
                    "items.0.payGross",
                    "items.0.deductions.0.dedType",
                    "items.0.deductions.0.dedAmount",
                    "items.0.payNet",
                ],
            ),
        ),
        case(
            "what is paid is not the gross pay less the deductions",
            one("\"10,000.00\"", "\"10,000.01\""),
            params(400, Some(AMOUNT), &["items.0.payNet"]),
        ),
        case(
            "a day that is over",
            order("bad", "01-11-2026", &[item("bad-1")]),
            params(400, None, &["payDate"]),
        ),
        case(
            "more than a thousand salaries",
            order("bad", &today(), &many),
            Expect::Request(413),
        ),
        case(
            "an account that its bank does not know",
            one("0123476789", "0123480014"),
            params(404, Some((842, "Bank Account")), &["items.0.accountNumber"]),
        ),
        strictly(case(
            "strict: every unknown attribute is named",
            one("\"dedType\":\"paye\"", "\"x\":1,\"dedType\":\"paye\""),
            params(400, None, &["items.0.deductions.0.x"]),
        )),
    ]
}

fn slips() -> Vec<Case> {
    let mut cases = bad_reports(SLIP, "good-payroll-1");
    cases.push(ask(
        SLIP,
        "a salary, every field in order",
        "mrcReference=good-payroll-1",
        success(SALARY),
    ));
    cases.push(ask(
        SLIP,
        "a form that there is not",
        "mrcReference=good-payroll-1&format=csv",
        params(400, None, &["format"]),
    ));
    cases
}

/// What is made of the batch that was accepted.
fn batches() -> Vec<Case> {
    let batches = BatchCases {
        list: LIST,
        report: REPORT,
        cancel: CANCEL,
        run: "good-payroll",
        accepted: ACCEPTED,
        count: 1,
        last: SALARY,
    };
    batches.all()
}
