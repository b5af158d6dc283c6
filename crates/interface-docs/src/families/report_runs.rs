//! Files of reports. They must be documented once, for reports of every type.

use crate::operation::{FileForm, Operation, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::reporting::{ReportGrouping, ReportKind, ReportRun, ReportRunId, RunRequest, RunState};
use testkit::builders::{START, account_id, at, number};
use wire::attribute::{FORMAT, REPORT_RUN};
use wire::reporting::run;

/// The number of a run in examples.
const EXAMPLE_RUN: &str = "5071922640870";

/// A run that is ready, and one that is not, which is answered 202.
pub(super) fn runs() -> Vec<Sample> {
    let request = RunRequest {
        kind: ReportKind::Transactions,
        service: None,
        from: START,
        until: at(60),
        status: None,
        number: None,
        grouping: ReportGrouping::Account,
        time_zone: "Africa/Lagos".into(),
    };
    let id = ReportRunId::new(number(5_071_922_640_870));
    let begun = ReportRun::begun((account_id("shop"), id), request, at(90));
    let ready = ReportRun {
        state: RunState::Ready([0x5f; 32]),
        rows: 3,
        bytes: 512,
        parts: 1,
        expires_at: Some(at(24 * 60 * 60)),
        ..begun.clone()
    };
    let shown = |run: &ReportRun| run::view(run, at(95), &lagos());
    let message = "The report as a file.";
    let under_way = Sample {
        status: 202,
        ..sample("begun", message, shown(&begun))
    };
    vec![sample("file", message, shown(&ready)), under_way]
}

/// How far a file is, and the file, for example this one.
pub(super) fn show_run(text: String) -> Operation {
    let [ready, begun] = <[Sample; 2]>::try_from(runs()).expect("two samples");
    let begun = Sample {
        status: 200,
        ..begun
    };
    Operation::get("/reporting/run", "showReportRun", "Show or download a file")
        .detailed(
            "How far the file of a report is, and with `format=csv` the file itself, once it is \
             Ready and until it expires. Each line is a `row` or, at the end, a `total`.",
        )
        .takes([
            required(&REPORT_RUN, EXAMPLE_RUN),
            optional(&FORMAT).one_of(&["json", "csv"]),
        ])
        .answers("ReportRun", vec![ready, begun])
        .as_file(FileForm::Csv(text))
        .refused(&[404, 409])
}
