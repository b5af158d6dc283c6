//! The period of a report. It must have both its ends: what a report is about is never guessed.

use crate::attribute;
use crate::reader::{FieldReader, InvalidField};
use crate::zone::Zone;
use domain::reporting::ReportDays;
use std::time::Duration;

/// How many days a period has at most. It bounds the rows of a report by day.
pub const PERIOD_DAYS_MAX: u64 = 366;

/// The same as a time; an hour more, for the end of summer time.
const PERIOD_MAX: Duration = Duration::from_hours(PERIOD_DAYS_MAX * 24 + 1);

/// Reads the period of a report; days and moments are in the time zone of the account unless they
/// name one.
pub(super) fn read(reader: &mut FieldReader<'_>, zone: &Zone) -> Result<ReportDays, InvalidField> {
    let from = reader.required(&attribute::FROM, |text| zone.period_start(text));
    let until = reader.required(&attribute::TO, |text| zone.period_end(text));
    let (from, until) = (from?, until?);
    if until <= from {
        return Err(reader.fault(&attribute::TO, "must be later than from"));
    }
    if until.since(from) > PERIOD_MAX {
        let message = format!("must be at most {PERIOD_DAYS_MAX} days after from");
        return Err(reader.fault(&attribute::TO, &message));
    }
    Ok(ReportDays::new(from, until, zone.midnights(from, until)))
}
