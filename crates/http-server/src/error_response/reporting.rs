//! Errors about reports. Each must say how to ask for less.

use super::invalid;
use crate::reply::HttpReply;
use application::reports::{ROWS_MAX, ReportError};
use wire::attribute::TO;

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
