//! The statement entry of an event, as a delivery stores it and back. It must show the entry as the
//! statement shows it, whatever is booked later.

use super::EventKey;
use crate::planner::LineEvent;
use crate::record::{LineRow, RecordError, VERSION, direction_code, read};
use domain::money::Money;
use domain::webhook::EventPayload;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A line as a document of JSON; amounts are in minor units, moments in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRecord<'a> {
    v: u32,
    position: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    transaction: Option<(i64, Cow<'a, str>)>,
    direction: Cow<'a, str>,
    narration: Cow<'a, str>,
    amount: i64,
    currency: Cow<'a, str>,
    available_after: i64,
    at: i64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    low_balance_threshold: Option<i64>,
}

impl<'a> LineRecord<'a> {
    pub(super) fn of(observation: &'a LineEvent) -> Self {
        let line = &observation.line;
        let transaction = line.transaction.as_ref();
        Self {
            v: VERSION,
            position: line.position,
            transaction: transaction.map(|(number, reference)| {
                let reference = Cow::Borrowed(reference.as_str());
                (EventKey::number_of(*number), reference)
            }),
            direction: Cow::Borrowed(direction_code(line.direction)),
            narration: Cow::Borrowed(&line.narration),
            amount: line.amount.minor(),
            currency: Cow::Borrowed(line.amount.currency().code()),
            available_after: line.after.minor(),
            at: line.at.as_millis(),
            low_balance_threshold: observation.low_balance_threshold.map(Money::minor),
        }
    }

    /// What an event with this line is about.
    pub(super) fn subject(text: &'a str) -> Result<EventPayload, RecordError> {
        let record: Self = read("shown", text, |record: &Self| record.v)?;
        let low_balance_threshold = record.low_balance_threshold;
        let line = Box::new(record.row().read()?);
        Ok(match low_balance_threshold {
            None => EventPayload::Credit(line),
            Some(minor) => EventPayload::LowBalance {
                below: Money::from_minor(minor, line.amount.currency()),
                line,
            },
        })
    }

    fn row(self) -> LineRow {
        let position = i64::try_from(self.position).unwrap_or(i64::MAX);
        let transaction = self.transaction;
        LineRow {
            id: position,
            transaction: transaction.map(|(number, reference)| (number, reference.into_owned())),
            direction: self.direction.into_owned(),
            narration: Some(self.narration.into_owned()),
            amount: self.amount,
            currency: self.currency.into_owned(),
            position,
            available_after: self.available_after,
            at: self.at,
        }
    }
}
