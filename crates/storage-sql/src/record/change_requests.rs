//! A request of an operator for a change, as it is stored.

use domain::operations::change_request::{ChangeReason, ChangeRequest, RequestedChange};
use domain::operator::OperatorName;
use domain::time::Timestamp;

/// The columns of [`ChangeRequestColumns`], in their order.
#[macro_export]
macro_rules! change_request_columns {
    () => {
        "number, operator, at, action, subject, reason, signature"
    };
}

/// A request as the questions of the stores answer it.
pub type ChangeRequestColumns = (i64, String, i64, String, String, String, Vec<u8>);

/// The columns of a request.
pub fn change_request_columns(request: &ChangeRequest) -> ChangeRequestColumns {
    (
        i64::try_from(request.number).unwrap_or(i64::MAX),
        request.by.as_str().to_owned(),
        request.at.as_millis(),
        request.change.action().to_owned(),
        request.change.subject(),
        request.reason.as_str().to_owned(),
        request.signature.clone(),
    )
}

/// The request that columns hold; `None` where one holds what no request has.
pub fn change_request(columns: ChangeRequestColumns) -> Option<ChangeRequest> {
    let (number, by, at, action, subject, reason, signature) = columns;
    Some(ChangeRequest {
        number: u64::try_from(number).ok()?,
        by: OperatorName::parse(&by).ok()?,
        at: Timestamp::from_millis(at),
        change: RequestedChange::from_record(&action, &subject)?,
        reason: ChangeReason::parse(&reason).ok()?,
        signature,
    })
}
