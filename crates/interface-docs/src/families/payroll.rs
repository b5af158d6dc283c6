//! Payroll. It must not document what no sample shows.

use super::bulk::{cancels_batch, first, in_every_state, progress_of, reports_batch, whole};
use crate::operation::{
    FileForm, Operation, OperationFamily, objects, optional, optional_objects, required,
};
use crate::states::{lagos, sample};
use domain::bank::DEDUCTIONS_MAX;
use domain::batch::{BatchKind, BatchOpening};
use testkit::builders::{START, batch, salary};
use wire::attribute::{
    BANK, BANK_ACCOUNT, DEDUCTION_AMOUNT, DEDUCTION_TYPE, DEDUCTIONS, FORMAT, ITEMS, ON_FAILURE,
    PAY_DATE, PAY_GROSS, PAY_NET, PAY_PERIOD, REFERENCE, STAFF,
};
use wire::bulk::list::{self, BatchesPart};
use wire::payroll::slip;

const RUN: &str = "payroll-1001";
const SALARY: &str = "payroll-1001-1";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "payroll",
        name: "Payroll",
        about: "Pay the salaries of up to a thousand members of staff on one day: all of them are \
                paid for and accepted, or none is. Each has a pay slip.",
        operations: vec![list_payrolls(), pay(), transaction(), cancel(), pay_slip()],
    }
}

fn pay() -> Operation {
    Operation::post("/transfer/payroll", "paySalaries", "Pay salaries")
        .detailed(
            "As a bulk transfer, of which `payNet` is what arrives: `payGross` less the \
             deductions, to the kobo. The balance is charged at once; the salaries are sent from \
             the beginning of `payDate` in the time zone of the account, which is today or up to \
             31 days ahead, and cancelled where they could not be sent within a day of it. Since \
             2026 salaries are exempt from the levy on transfers. Errors name the salary by its \
             place: `items.3.payNet` is of the fourth.",
        )
        .takes([
            required(&REFERENCE, RUN),
            required(&PAY_PERIOD, "2026-11"),
            required(&PAY_DATE, "27-11-2026"),
            optional(&ON_FAILURE).one_of(&["continue", "stop"]),
            objects(
                &ITEMS,
                [
                    required(&REFERENCE, SALARY),
                    required(&STAFF, "E-17"),
                    required(&BANK, "NGNIP000013"),
                    required(&BANK_ACCOUNT, "0100044567"),
                    required(&PAY_GROSS, "25,000.00"),
                    optional_objects(
                        &DEDUCTIONS,
                        DEDUCTIONS_MAX,
                        [
                            required(&DEDUCTION_TYPE, "paye")
                                .one_of(&["paye", "pension", "nhf", "other"]),
                            required(&DEDUCTION_AMOUNT, "5,000.00"),
                        ],
                    ),
                    required(&PAY_NET, "20,000.00"),
                ],
            ),
        ])
        .pays_many("Payroll", in_every_state(&opening(), 202))
        .refused(&[404, 502])
}

fn list_payrolls() -> Operation {
    let batches = [(opening().batch().clone(), progress_of(1, 0, 0, 0))];
    let part = BatchesPart {
        kind: BatchKind::Payroll,
        batches: &batches,
        total: 1,
    };
    let fields = list::view(part, &whole(), &lagos());
    Operation::get("/transfer/payroll", "listPayrolls", "List payrolls")
        .in_parts(&["batDate"])
        .lists(
            "Payrolls",
            vec![sample("batches", list::listed(BatchKind::Payroll), fields)],
        )
}

fn transaction() -> Operation {
    let path = "/transfer/payroll/transaction";
    let report = Operation::get(path, "reportPayroll", "Report a payroll").detailed(
        "The batch, and a page of its salaries in the order of the request, each with its \
             payout and what it is made of. With `format=csv` all salaries come as one file of \
             comma-separated values (RFC 4180).",
    );
    reports_batch(
        report,
        (RUN, "PayrollReport"),
        (&opening(), &progress_of(1, 0, 0, 0)),
    )
}

fn cancel() -> Operation {
    let path = "/transfer/payroll/cancel";
    let cancel = Operation::post(path, "cancelPayroll", "Cancel a payroll").detailed(
        "Salaries that were not sent are cancelled, and their prices given back; those that \
             were sent come to their own end. Repeating it changes nothing more.",
    );
    cancels_batch(cancel, (RUN, "Payroll"), &opening())
}

/// # Panics
/// When a salary has no slip, which each has.
fn pay_slip() -> Operation {
    let path = "/transfer/payroll/payslip";
    let tx = first(&opening()).remove(0);
    let fields = slip::view(&tx, &lagos()).expect("a salary");
    Operation::get(path, "getPaySlip", "Get a pay slip")
        .detailed(
            "A salary by its own reference. With `format=pdf` it comes as a document that can be \
             given to the member of staff; it says whether the salary was paid. Characters that \
             are in no Western European alphabet are shown without their marks.",
        )
        .takes([
            required(&REFERENCE, SALARY),
            optional(&FORMAT).one_of(&["json", "pdf"]),
        ])
        .answers(
            "PaySlip",
            vec![sample("pending", wire::transaction::outcome(&tx), fields)],
        )
        .as_file(FileForm::Pdf)
        .refused(&[404])
}

fn opening() -> BatchOpening {
    let salary = salary().number(1).reference(SALARY).queued(START, START);
    batch(RUN, [salary])
        .number(7_213_340_019)
        .of(BatchKind::Payroll)
        .opening()
}
