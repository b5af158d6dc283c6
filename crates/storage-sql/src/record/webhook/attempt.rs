//! Attempts to deliver as records and back. What an endpoint answered is whatever a stranger sent,
//! and may be what was sent to it: it must be sealed.

use crate::PART;
use crate::field_cipher::FieldCipher;
use crate::record::{RecordError, opened};
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::{Attempt, Delivery, DeliveryFailure, EndpointAnswer, WebhookEventId};
use ports::PortError;
use ports::webhooks::AttemptResult;
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
    /// The beginning of the answer, sealed: an endpoint may answer with what it was sent. It stands
    /// with the delivery, of the last attempt alone.
    pub excerpt: Option<String>,
    /// The word of why there was no answer.
    #[serde(borrow)]
    pub failure: Option<Cow<'a, str>>,
}

impl<'a> AttemptRecord<'a> {
    /// The record of an attempt.
    ///
    /// # Errors
    /// When the excerpt cannot be sealed.
    pub fn of(ended: &'a AttemptResult, cipher: &FieldCipher) -> Result<Self, PortError> {
        let attempt = &ended.attempt;
        let blank = Self {
            at: attempt.at.as_millis(),
            took: millis(attempt.took),
            status: None,
            retry_after: None,
            excerpt: None,
            failure: None,
        };
        Ok(match &attempt.result {
            Ok(answer) => Self {
                status: Some(i32::from(answer.status)),
                retry_after: answer.retry_after.map(millis),
                excerpt: excerpt(ended, &answer.excerpt, cipher)?,
                ..blank
            },
            Err(failure) => Self {
                failure: Some(Cow::Borrowed(failure.code())),
                ..blank
            },
        })
    }

    fn restore(self, delivery: &Delivery, cipher: &FieldCipher) -> Result<Attempt, RecordError> {
        let endpoint = delivery.endpoint.to_string();
        let place = place(&delivery.account, &endpoint, &delivery.event.id);
        let excerpt = cipher.open(&place, self.excerpt.unwrap_or_default());
        opened("excerpt", &excerpt)?;
        let result = match (self.status, self.failure) {
            (Some(status), None) => Ok(EndpointAnswer {
                status: u16::try_from(status).map_err(|_| RecordError::Value("status"))?,
                retry_after: self
                    .retry_after
                    .map(|it| pause(it, "retry_after"))
                    .transpose()?,
                excerpt,
            }),
            (None, Some(word)) => {
                Err(DeliveryFailure::from_code(&word).ok_or(RecordError::Value("failure"))?)
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

/// The attempts of a delivery in a list of records.
///
/// # Errors
/// When a record breaks a rule.
pub fn log(
    text: &str,
    delivery: &Delivery,
    cipher: &FieldCipher,
) -> Result<Vec<Attempt>, PortError> {
    let unreadable = |error| PortError::caused(PART, "attempts to deliver cannot be read", error);
    let records: Vec<AttemptRecord<'_>> = serde_json::from_str(text).map_err(|source| {
        let document = "attempts";
        unreadable(RecordError::Shape { document, source })
    })?;
    let records = records.into_iter();
    let attempts = records.map(|record| record.restore(delivery, cipher));
    attempts.collect::<Result<_, _>>().map_err(unreadable)
}

/// The beginning of an answer as it is stored: sealed, or nothing where it is empty.
fn excerpt(
    ended: &AttemptResult,
    text: &str,
    cipher: &FieldCipher,
) -> Result<Option<String>, PortError> {
    if text.is_empty() {
        return Ok(None);
    }
    let endpoint = ended.delivery.endpoint.to_string();
    let place = place(&ended.account, &endpoint, &ended.delivery.event);
    cipher.seal(&place, text).map(Some)
}

/// What names a delivery, sealed together with what it was answered.
fn place<'a>(account: &'a AccountId, endpoint: &'a str, event: &'a WebhookEventId) -> [&'a str; 4] {
    let (account, event) = (account.as_str(), event.as_str());
    ["deliveries.answer", account, endpoint, event]
}

fn millis(pause: Duration) -> i64 {
    i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)
}

fn pause(millis: i64, field: &'static str) -> Result<Duration, RecordError> {
    let millis = u64::try_from(millis).map_err(|_| RecordError::Value(field))?;
    Ok(Duration::from_millis(millis))
}
