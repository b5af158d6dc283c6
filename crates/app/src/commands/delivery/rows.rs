//! Deliveries of webhook events, as operators are shown them. It must not show what was delivered:
//! an event can have a token in it.

use domain::webhook::{Attempt, Delivery, DeliveryState};
use serde::Serialize;

use crate::commands::moment;
use crate::output;

/// One delivery, with its last attempt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownDelivery {
    pub(crate) evt_identifier: String,
    pub(crate) topic: &'static str,
    pub(crate) whk_identifier: u64,
    /// When the event came to be.
    pub(crate) event_at: String,
    /// `due`, `delivered` or `parked`.
    pub(crate) state: &'static str,
    /// When it is attempted, was delivered, or was attempted last.
    pub(crate) at: String,
    /// Attempts since it was last asked for.
    pub(crate) attempts: u16,
    /// What the last attempt came to; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_attempt: Option<AttemptView>,
}

/// One attempt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttemptView {
    at: String,
    took_ms: u64,
    /// The status of HTTP; absent where there was no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Why there was no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'static str>,
    /// The beginning of an answer that was no success.
    #[serde(skip_serializing_if = "String::is_empty")]
    answer: String,
}

impl AttemptView {
    fn of(attempt: &Attempt) -> Self {
        let (status, failure, answer) = match &attempt.result {
            Ok(answer) => (Some(answer.status), None, answer.excerpt.clone()),
            Err(failure) => (None, Some(failure.code()), String::new()),
        };
        Self {
            at: moment(attempt.at),
            took_ms: u64::try_from(attempt.took.as_millis()).unwrap_or(u64::MAX),
            status,
            failure,
            answer,
        }
    }

    /// The same in one cell of a table.
    fn text(&self) -> String {
        let status = self.status.map(|status| status.to_string());
        let came_to = status.as_deref().or(self.failure).unwrap_or_default();
        format!("{came_to} in {} ms", self.took_ms)
    }
}

impl ShownDelivery {
    pub(crate) fn of((delivery, attempts): &(Delivery, Vec<Attempt>)) -> Self {
        let (state, at) = match delivery.state {
            DeliveryState::Due(at) => ("due", at),
            DeliveryState::Delivered(at) => ("delivered", at),
            DeliveryState::Parked(at) => ("parked", at),
        };
        Self {
            evt_identifier: delivery.event.id.to_string(),
            topic: delivery.event.topic.code(),
            whk_identifier: delivery.endpoint.get(),
            event_at: moment(delivery.event.at),
            state,
            at: moment(at),
            attempts: delivery.attempts,
            last_attempt: attempts.last().map(AttemptView::of),
        }
    }
}

/// Deliveries as a table.
pub(crate) fn table(rows: &[ShownDelivery]) -> String {
    let cells: Vec<[String; 7]> = rows
        .iter()
        .map(|row| {
            let last = row.last_attempt.as_ref().map(AttemptView::text);
            [
                row.evt_identifier.clone(),
                row.topic.to_owned(),
                row.whk_identifier.to_string(),
                row.state.to_owned(),
                row.at.clone(),
                row.attempts.to_string(),
                last.unwrap_or_default(),
            ]
        })
        .collect();
    let headings = [
        "DELIVERY",
        "TOPIC",
        "ENDPOINT",
        "STATE",
        "AT",
        "ATTEMPTS",
        "LAST ATTEMPT",
    ];
    output::table(headings, &cells)
}
