//! `POST /security/rotate`. The secret must be shown in the answer that makes its key and nowhere
//! else.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::access::AccessKey;
use domain::credential::KeyId;
use domain::time::Timestamp;
use std::time::Duration;

/// How long both keys work where it is not said: a day, in which every machine gets the new one.
pub const OVERLAP_HOURS: u64 = 24;

/// How long both keys may work: a week. Who needs longer makes a second key of the name.
pub const OVERLAP_HOURS_MAX: u64 = 168;

/// Reads which key is to be replaced, and for how long both work.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<(KeyId, Duration), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let key = reader.required(&attribute::KEY, KeyId::parse);
    let overlap = reader.optional(&attribute::OVERLAP_HOURS, |text| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let hours = text.parse().ok().filter(|_| digits);
        let hours = hours.filter(|hours| *hours <= OVERLAP_HOURS_MAX);
        hours.ok_or_else(|| format!("must be a whole number from 0 to {OVERLAP_HOURS_MAX}"))
    });
    reader.finish(|| {
        let hours = overlap?.unwrap_or(OVERLAP_HOURS);
        Ok((key?, Duration::from_hours(hours)))
    })
}

/// The key that takes the place of another one, until when that one works, and its secret with what
/// its requests are signed with.
pub fn view(
    key: &AccessKey,
    (replaced, ends_at): (KeyId, Timestamp),
    secrets: Option<(&str, Option<&str>)>,
    zone: &Zone,
) -> Object {
    let shown = Object::new()
        .with("keyIdentifier", key.id.to_string())
        .with("keyName", key.name.as_str())
        .with("keyPrefix", key.hint.as_str())
        .with("keyReplaced", replaced.to_string())
        .with("keyExpires", zone.date_time(ends_at));
    match secrets {
        Some((secret, signing)) => shown
            .with("keySecret", secret)
            .with("keySigningSecret", signing),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    fn read(pairs: &[(&str, &str)]) -> Result<(KeyId, Duration), Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    #[test]
    fn both_keys_work_for_a_day_or_as_long_as_is_said() {
        let key = ("keyIdentifier", "\"00000000000000a1\"");
        assert_eq!(
            read(&[key]).unwrap(),
            (KeyId(161), Duration::from_hours(24))
        );
        for (sent, hours) in [("0", 0), ("\"168\"", 168)] {
            let read = read(&[key, ("overlapHours", sent)]).unwrap();
            assert_eq!(read.1, Duration::from_hours(hours));
        }
        for wrong in ["169", "-1", "1.5", "\"+1\"", "\"\""] {
            let refused = faults(read(&[key, ("overlapHours", wrong)]));
            assert!(refused.contains("overlapHours: must be a whole number from 0 to 168"));
        }
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        keyIdentifier: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
    }
}
