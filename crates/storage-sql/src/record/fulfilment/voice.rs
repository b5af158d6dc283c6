//! The record of a call that was answered.

use crate::record::RecordError;
use crate::record::scalar::{Text, valid};
use domain::time::Timestamp;
use domain::voice::{Call, PressedDigits};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct CallRecord<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered_at: Option<i64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    digits: Option<Text<'a>>,
}

impl<'a> From<&'a Call> for CallRecord<'a> {
    fn from(call: &'a Call) -> Self {
        Self {
            seconds: call.seconds,
            answered_at: call.answered_at.map(Timestamp::as_millis),
            digits: call.digits.as_ref().map(|it| it.as_str().into()),
        }
    }
}

impl CallRecord<'_> {
    pub(super) fn restore(self) -> Result<Call, RecordError> {
        let digits = self.digits.map(|it| PressedDigits::parse(&it));
        Ok(Call {
            seconds: self.seconds,
            answered_at: self.answered_at.map(Timestamp::from_millis),
            digits: digits.map(|it| valid(it, "digits")).transpose()?,
        })
    }
}
