//! Which part of a message one is: by its user data header, or by the fields of SMPP. A header that
//! contradicts itself must not hide the text behind it.

use rusmpp_core::tlvs::owned::{Tlv, TlvValue};

/// Most parts of a message. Handsets write far fewer; what names more is taken as a message of its
/// own.
pub(crate) const PARTS_MAX: u8 = 64;

/// The elements of a header that join parts (3GPP TS 23.040 §9.2.3.24).
const SHORT_REFERENCE: u8 = 0x00;
const LONG_REFERENCE: u8 = 0x08;

/// Where a reference stands: each counts by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferencePlace {
    /// In the header, 8 bits.
    Short,
    /// In the header, 16 bits.
    Long,
    /// In `sar_msg_ref_num`.
    Field,
}

impl ReferencePlace {
    /// The word that fingerprints are made with.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Field => "field",
        }
    }
}

/// One part of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartPlace {
    pub(crate) form: ReferencePlace,
    /// What all parts of the message have in common.
    pub(crate) reference: u16,
    /// How many there are, 2 to [`PARTS_MAX`].
    pub(crate) total: u8,
    /// Which one it is, from 1.
    pub(crate) index: u8,
}

impl PartPlace {
    fn checked(self) -> Option<Self> {
        let fits = (2..=PARTS_MAX).contains(&self.total) && (1..=self.total).contains(&self.index);
        fits.then_some(self)
    }

    /// By the fields of SMPP.
    pub(crate) fn of_fields(fields: &[Tlv]) -> Option<Self> {
        let (mut reference, mut total, mut index) = (None, None, None);
        for value in fields.iter().filter_map(Tlv::value) {
            if let TlvValue::SarMsgRefNum(said) = value {
                reference = Some(*said);
            } else if let TlvValue::SarTotalSegments(said) = value {
                total = Some(*said);
            } else if let TlvValue::SarSegmentSeqnum(said) = value {
                index = Some(*said);
            }
        }
        let segment = Self {
            form: ReferencePlace::Field,
            reference: reference?,
            total: total?,
            index: index?,
        };
        segment.checked()
    }
}

/// What a header says, and the octets behind it. Octets that do not have room for the header they
/// begin with are all text.
pub(crate) fn behind_header(octets: &[u8]) -> (Option<PartPlace>, &[u8]) {
    let Some((length, rest)) = octets.split_first() else {
        return (None, octets);
    };
    let Some((mut header, text)) = rest.split_at_checked(usize::from(*length)) else {
        return (None, octets);
    };
    let mut segment = None;
    while let Some((kind, rest)) = header.split_first() {
        let Some((length, rest)) = rest.split_first() else {
            break;
        };
        let Some((element, rest)) = rest.split_at_checked(usize::from(*length)) else {
            break;
        };
        segment = of_element(*kind, element).or(segment);
        header = rest;
    }
    (segment, text)
}

fn of_element(kind: u8, element: &[u8]) -> Option<PartPlace> {
    let segment = match (kind, element) {
        (SHORT_REFERENCE, [reference, total, index]) => PartPlace {
            form: ReferencePlace::Short,
            reference: u16::from(*reference),
            total: *total,
            index: *index,
        },
        (LONG_REFERENCE, [high, low, total, index]) => PartPlace {
            form: ReferencePlace::Long,
            reference: u16::from_be_bytes([*high, *low]),
            total: *total,
            index: *index,
        },
        _ => return None,
    };
    segment.checked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusmpp_core::tlvs::owned::MessageDeliveryRequestTlvValue as Field;

    fn short(reference: u16, total: u8, index: u8) -> PartPlace {
        PartPlace {
            form: ReferencePlace::Short,
            reference,
            total,
            index,
        }
    }

    #[test]
    fn a_header_is_read_beside_other_elements() {
        let octets = [0x05, 0x00, 0x03, 0xA1, 0x03, 0x02, b'H', b'i'];
        let (segment, text) = behind_header(&octets);
        assert_eq!(segment, Some(short(0xA1, 3, 2)));
        assert_eq!(text, b"Hi");
        // A language first, and then the long reference.
        let octets = [
            9, 0x24, 0x01, 0x01, 0x08, 0x04, 0x12, 0x34, 0x02, 0x01, b'A',
        ];
        let (segment, text) = behind_header(&octets);
        let expected = PartPlace {
            form: ReferencePlace::Long,
            ..short(0x1234, 2, 1)
        };
        assert_eq!((segment, text), (Some(expected), &b"A"[..]));
    }

    #[test]
    fn a_header_that_contradicts_itself_joins_nothing_and_hides_no_text() {
        for (total, index) in [(0, 1), (1, 1), (2, 0), (2, 3), (PARTS_MAX + 1, 1)] {
            let octets = [0x05, 0x00, 0x03, 1, total, index, b'A'];
            assert_eq!(behind_header(&octets), (None, &b"A"[..]), "{total} {index}");
        }
        for octets in [&b"\x40Hi"[..], b"", b"\xFF"] {
            assert_eq!(behind_header(octets), (None, octets));
        }
        // An element that is longer than its header.
        assert_eq!(behind_header(&[2, 0x00, 0x09, b'A']), (None, &b"A"[..]));
    }

    #[test]
    fn the_fields_of_smpp_count_together() {
        let fields =
            |values: &[Field]| -> Vec<Tlv> { values.iter().cloned().map(Into::into).collect() };
        let all = [
            Field::SarMsgRefNum(500),
            Field::SarTotalSegments(2),
            Field::SarSegmentSeqnum(1),
        ];
        let expected = PartPlace {
            form: ReferencePlace::Field,
            ..short(500, 2, 1)
        };
        assert_eq!(PartPlace::of_fields(&fields(&all)), Some(expected));
        assert_eq!(PartPlace::of_fields(&fields(&all[..2])), None);
        assert_eq!(PartPlace::of_fields(&[]), None);
    }
}
