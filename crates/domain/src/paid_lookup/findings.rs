//! What a lookup found. A record that was not reported must be left out.

use super::category::LookupCategory;
use crate::geolocation::device::GeoPoint;
use crate::labelled_value::LabelledValue;
use crate::provider::{Fulfilment, Refusal};
use crate::text;
use crate::time::Timestamp;
use std::fmt;

/// What a lookup found: values with their names, or where the device is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupFindings {
    /// What was looked up.
    pub category: LookupCategory,
    /// The values, in the order of the provider. None where it was paid for and what it found is
    /// not known.
    pub values: Vec<LabelledValue>,
    /// Where the device is.
    pub location: Option<DevicePosition>,
}

/// Where a device was at a moment. It is not shown in logs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DevicePosition {
    /// The middle of the circle that it was in.
    pub at: GeoPoint,
    /// The radius of the circle, in metres.
    pub accuracy: u32,
    /// The moment.
    pub located_at: Timestamp,
}

impl fmt::Debug for DevicePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DevicePosition(..)")
    }
}

impl LookupFindings {
    /// Most bytes of the values with their names and labels. Escaped six-fold they fit into a body
    /// of the provider protocol.
    pub const BYTES_MAX: usize = 8 * 1024;

    /// Most values of a lookup.
    pub const VALUES_MAX: usize = 50;

    /// Most characters of the name of a value.
    pub const NAME_LENGTH_MAX: usize = 40;

    /// Most characters of the label of a value.
    pub const LABEL_LENGTH_MAX: usize = 60;

    /// Most characters of a value.
    pub const VALUE_LENGTH_MAX: usize = 500;

    /// What a lookup found that was paid for and whose answer is not known.
    pub const fn unavailable(category: LookupCategory) -> Self {
        Self {
            category,
            values: Vec::new(),
            location: None,
        }
    }

    /// Whether it is as short as what is kept, and text that can be shown.
    pub fn fits(&self) -> bool {
        let is_line =
            |text: &str, most: usize| text::line(text, most).is_ok_and(|it| it.len() == text.len());
        let is_kept = |value: &LabelledValue| {
            is_line(&value.name, Self::NAME_LENGTH_MAX)
                && is_line(&value.label, Self::LABEL_LENGTH_MAX)
                && is_line(&value.value, Self::VALUE_LENGTH_MAX)
        };
        let texts = self
            .values
            .iter()
            .flat_map(|it| [&it.name, &it.label, &it.value]);
        let bytes = texts.fold(0_usize, |sum, text| sum.saturating_add(text.len()));
        self.values.len() <= Self::VALUES_MAX
            && bytes <= Self::BYTES_MAX
            && self.values.iter().all(is_kept)
    }

    /// Whether it says anything.
    pub const fn is_known(&self) -> bool {
        !self.values.is_empty() || self.location.is_some()
    }
}

/// Why a lookup that was made found nothing, as the code of the refusal says. Nothing is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookupMiss {
    /// There is no record of the number.
    NoRecord,
    /// The device is switched off or out of reach.
    Unreachable,
}

impl LookupMiss {
    /// The code that a provider refuses the lookup with.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoRecord => "no-record",
            Self::Unreachable => "unreachable",
        }
    }

    /// What a refusal says of a lookup of a category; `None` where it was refused for another
    /// reason.
    pub fn of(category: LookupCategory, refusal: &Refusal) -> Option<Self> {
        let miss = match category {
            LookupCategory::Record => Self::NoRecord,
            LookupCategory::Device => Self::Unreachable,
        };
        (refusal.code == miss.code()).then_some(miss)
    }
}

impl Fulfilment {
    /// What a lookup found; `None` of any other family.
    pub const fn lookup_findings(&self) -> Option<&LookupFindings> {
        if let Self::Lookup(findings) = self {
            Some(findings)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::RefusalKind;

    #[test]
    fn a_refusal_says_by_its_code_that_nothing_was_found() {
        let of = |category, code: &str| {
            let refusal = Refusal {
                kind: RefusalKind::Order,
                code: code.to_owned(),
                reason: String::new(),
            };
            LookupMiss::of(category, &refusal)
        };
        let (record, device) = (LookupCategory::Record, LookupCategory::Device);
        assert_eq!(of(record, "no-record"), Some(LookupMiss::NoRecord));
        assert_eq!(of(device, "unreachable"), Some(LookupMiss::Unreachable));
        assert_eq!(of(record, "unreachable"), None);
        assert_eq!(of(device, "no-record"), None);
        assert_eq!(of(record, "declined"), None);
    }

    #[test]
    fn values_are_kept_within_their_limits() {
        let value = |name: &str, value: String| LabelledValue {
            name: name.to_owned(),
            label: "Label".to_owned(),
            value,
        };
        let findings = |values: Vec<LabelledValue>| LookupFindings {
            values,
            ..LookupFindings::unavailable(LookupCategory::Record)
        };
        let one = |text: &str| findings(vec![value("status", text.to_owned())]).fits();
        assert!(one("active") && one(&"é".repeat(LookupFindings::VALUE_LENGTH_MAX)));
        for wrong in ["", " ", " active", "a\nb", "\u{202e}evitca", "\u{fffe}"] {
            assert!(!one(wrong), "{wrong:?}");
        }
        assert!(!one(&"a".repeat(LookupFindings::VALUE_LENGTH_MAX + 1)));
        let many = |count: usize, length: usize| {
            findings(vec![value("n", "v".repeat(length)); count]).fits()
        };
        assert!(many(LookupFindings::VALUES_MAX, 100));
        assert!(!many(LookupFindings::VALUES_MAX + 1, 1));
        assert!(!many(
            LookupFindings::VALUES_MAX,
            LookupFindings::VALUE_LENGTH_MAX
        ));
    }

    #[test]
    fn what_was_found_is_not_shown_in_logs() {
        let found = LookupFindings {
            values: vec![LabelledValue {
                name: "surname".to_owned(),
                label: "Surname".to_owned(),
                value: "Okafor".to_owned(),
            }],
            category: LookupCategory::Record,
            location: GeoPoint::from_micros(6_455_027, 3_384_000).map(|at| DevicePosition {
                at,
                accuracy: 350,
                located_at: Timestamp::from_millis(0),
            }),
        };
        let shown = format!("{found:?}");
        assert!(
            !shown.contains("Okafor") && !shown.contains("455027"),
            "{shown}"
        );
    }
}
