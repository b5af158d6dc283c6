//! Attempts to deliver as records and back. What an endpoint answered is whatever a stranger sent:
//! it must be stored as text that every database takes.

use crate::PART;
use crate::record::RecordError;
use domain::time::Timestamp;
use domain::webhook::{Answer, Attempt, Failure};
use ports::PortError;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// One attempt as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord<'a> {
    /// When it began, in milliseconds.
    pub at: i64,
    /// How long it took, in milliseconds.
    pub took: i64,
    /// The status it was answered with.
    pub status: Option<i32>,
    /// How long the answer asked for patience, in milliseconds.
    pub retry_after: Option<i64>,
    /// The beginning of the answer.
    #[serde(borrow)]
    pub excerpt: Option<Cow<'a, str>>,
    /// The word of why there was no answer.
    #[serde(borrow)]
    pub failure: Option<Cow<'a, str>>,
}

impl<'a> AttemptRecord<'a> {
    /// The record of an attempt, borrowed from it.
    pub fn of(attempt: &'a Attempt) -> Self {
        let blank = Self {
            at: attempt.at.as_millis(),
            took: millis(attempt.took),
            status: None,
            retry_after: None,
            excerpt: None,
            failure: None,
        };
        match &attempt.result {
            Ok(answer) => Self {
                status: Some(i32::from(answer.status)),
                retry_after: answer.retry_after.map(millis),
                excerpt: Some(storable(&answer.excerpt)),
                ..blank
            },
            Err(failure) => Self {
                failure: Some(Cow::Borrowed(failure.code())),
                ..blank
            },
        }
    }

    fn restore(self) -> Result<Attempt, RecordError> {
        let result = match (self.status, self.failure) {
            (Some(status), None) => Ok(Answer {
                status: u16::try_from(status).map_err(|_| RecordError::Value("status"))?,
                retry_after: self
                    .retry_after
                    .map(|it| pause(it, "retry_after"))
                    .transpose()?,
                excerpt: self.excerpt.unwrap_or_default().into_owned(),
            }),
            (None, Some(word)) => {
                Err(Failure::from_code(&word).ok_or(RecordError::Value("failure"))?)
            }
            (None, None) | (Some(_), Some(_)) => return Err(RecordError::Value("status")),
        };
        Ok(Attempt {
            at: Timestamp::from_millis(self.at),
            took: pause(self.took, "took")?,
            result,
        })
    }
}

/// The attempts in a list of records.
///
/// # Errors
/// When a record breaks a rule.
pub fn log(text: &str) -> Result<Vec<Attempt>, PortError> {
    let unreadable = |error| PortError::caused(PART, "attempts to deliver cannot be read", error);
    let records: Vec<AttemptRecord<'_>> = serde_json::from_str(text).map_err(|source| {
        let document = "attempts";
        unreadable(RecordError::Shape { document, source })
    })?;
    let attempts = records.into_iter().map(AttemptRecord::restore);
    attempts.collect::<Result<_, _>>().map_err(unreadable)
}

/// The text without what PostgreSQL keeps in none.
fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

fn millis(pause: Duration) -> i64 {
    i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)
}

fn pause(millis: i64, field: &'static str) -> Result<Duration, RecordError> {
    let millis = u64::try_from(millis).map_err(|_| RecordError::Value(field))?;
    Ok(Duration::from_millis(millis))
}
