//! `/booking/reschedule`, `/booking/cancel`, `/booking/complete` and `/booking/miss`.

use super::appointment_number;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::GroupLabel;
use domain::booking::StaffName;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;

/// Where an appointment is moved to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedMove {
    pub number: TransactionNumber,
    pub version: u32,
    pub starts_at: Timestamp,
    pub staff: Option<StaffName>,
}

/// An appointment that ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedEnd {
    pub number: TransactionNumber,
    pub version: u32,
    pub reason: Option<GroupLabel>,
}

/// Reads where an appointment is moved to.
pub fn parse_move(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<WantedMove, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let number = reader.required(&attribute::BOOKING, appointment_number);
    let version = reader.version();
    let version = reader.needed(&attribute::VERSION, version, "a change");
    let starts_at = reader.required(&attribute::BOOKING_START, |text| zone.parse(text));
    let staff = reader.optional(&attribute::BOOKING_STAFF, StaffName::parse);
    reader.finish(|| {
        Ok(WantedMove {
            number: number?,
            version: version?,
            starts_at: starts_at?,
            staff: staff?,
        })
    })
}

/// Reads which appointment ends, and why.
pub fn parse_end(attributes: &Attributes, handling: Handling) -> Result<WantedEnd, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let number = reader.required(&attribute::BOOKING, appointment_number);
    let version = reader.version();
    let version = reader.needed(&attribute::VERSION, version, "a change");
    let reason = reader.optional(&attribute::BOOKING_REASON, GroupLabel::parse);
    reader.finish(|| {
        Ok(WantedEnd {
            number: number?,
            version: version?,
            reason: reason?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos};

    #[test]
    fn a_step_names_its_appointment_and_the_version_that_was_seen() {
        let moved = |pairs: &[(&str, &str)]| parse_move(&body(pairs), Handling::Strict, &lagos());
        let good = [
            ("bkgIdentifier", "7"),
            ("version", "2"),
            ("bkgStart", "\"2026-01-19T08:00:00Z\""),
            ("bkgStaff", "\"Bola\""),
        ];
        let read = moved(&good).unwrap();
        assert_eq!((read.number.get(), read.version), (7, 2));
        assert_eq!(read.staff.unwrap().as_str(), "Bola");
        insta::assert_snapshot!(faults(moved(&[("x", "1")])), @r"
        400 -
        bkgIdentifier: is required; add it to the body
        version: is required for a change; add it to the body
        bkgStart: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let ended = |pairs: &[(&str, &str)]| parse_end(&body(pairs), Handling::Strict);
        let read = ended(&[("bkgIdentifier", "7"), ("version", "1")]).unwrap();
        assert_eq!((read.version, read.reason), (1, None));
        let wrong = [
            ("bkgIdentifier", "\"x\""),
            ("version", "0"),
            ("bkgReason", "\"\""),
        ];
        let named = faults(ended(&wrong));
        for (name, _) in wrong {
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
    }
}
