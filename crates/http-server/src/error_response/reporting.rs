//! Errors about reports. Each must say how to ask for less.

use super::{invalid, unknown};
use crate::reply::HttpReply;
use application::reports::files::ReportFileError;
use application::reports::{ROWS_MAX, ReportError};
use domain::reporting::RUNS_MAX;
use http::StatusCode;
use wire::attribute::{REPORT_RUN, TO};

impl From<ReportError> for HttpReply {
    fn from(refused: ReportError) -> Self {
        match refused {
            ReportError::TooManyRows => invalid(
                &TO,
                format!(
                    "is too late: the period has more than {ROWS_MAX} rows; choose a shorter one"
                ),
            ),
            ReportError::TooLarge(_) => invalid(
                &TO,
                "is too late: a sum of the period is beyond the largest amount; choose a shorter \
                 one",
            ),
            ReportError::Request(refused) => refused.into(),
        }
    }
}

impl From<ReportFileError> for HttpReply {
    fn from(refused: ReportFileError) -> Self {
        match refused {
            ReportFileError::Unknown => unknown(&REPORT_RUN, "names no file of your account"),
            ReportFileError::UnderWay => HttpReply::request(
                StatusCode::CONFLICT,
                "Another file is being written.",
                "one file of an account is written at a time; GET /reporting/run shows how far it \
                 is",
            ),
            ReportFileError::TooMany => HttpReply::request(
                StatusCode::CONFLICT,
                "The account has as many files as it may have.",
                format!("an account has {RUNS_MAX} files at most; the oldest expires first"),
            ),
            ReportFileError::Request(refused) => refused.into(),
        }
    }
}

/// A file that is not written yet, or not there any more.
pub(crate) fn no_file() -> HttpReply {
    HttpReply::request(
        StatusCode::CONFLICT,
        "There is no file.",
        "it is not written yet, could not be made or has expired, as repStatus says without \
         format=csv",
    )
}
