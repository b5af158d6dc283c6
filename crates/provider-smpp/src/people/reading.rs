//! A `deliver_sm` of a handset as a message, or a part of one. Neither a number nor a word of it
//! may be in what is logged about it.

use super::identity::Fingerprint;
use super::segment::{PartPlace, behind_header};
use super::text::{Alphabet, Octets};
use crate::reply_numbers::ReplyNumbers;
use domain::phone::PhoneNumber;
use domain::sms::SenderName;
use ports::adapter::AccountSecret;
use rusmpp_core::pdus::owned::DeliverSm;
use rusmpp_core::tlvs::owned::{Tlv, TlvValue};
use rusmpp_core::values::Ton;

/// The bit of `esm_class` that says that the text begins with a header.
const WITH_HEADER: u8 = 0x40;

/// A message, or a part of one.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Who wrote it.
    pub(crate) number: PhoneNumber,
    /// The sender it was written to.
    pub(crate) sender: SenderName,
    /// The address that stands for it.
    to: String,
    pub(crate) said: Octets,
    pub(crate) segment: Option<PartPlace>,
    /// What the SMSC says of the message besides, joined.
    marks: String,
}

/// Why nothing can be made of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Untaken {
    #[error("it is no text, or in an alphabet that is not read")]
    NoText,
    #[error("it is of no telephone number in international form")]
    NoNumber,
    #[error("the number that it was sent to stands for no sender")]
    NoSender,
    #[error("it says nothing")]
    Empty,
}

/// Reads a message of a handset.
pub(crate) fn read(pdu: &DeliverSm, numbers: &ReplyNumbers) -> Result<Piece, Untaken> {
    let sender = numbers.sender(pdu.destination_addr.as_str());
    let sender = sender.ok_or(Untaken::NoSender)?;
    if !may_be_international(pdu.source_addr_ton) {
        return Err(Untaken::NoNumber);
    }
    let number = PhoneNumber::parse(plain(pdu.source_addr.as_str()));
    let number = number.map_err(|_| Untaken::NoNumber)?;
    let alphabet = Alphabet::of(u8::from(pdu.data_coding)).ok_or(Untaken::NoText)?;
    let octets = octets(pdu);
    let (in_header, octets) = if u8::from(pdu.esm_class) & WITH_HEADER == 0 {
        (None, octets)
    } else {
        behind_header(octets)
    };
    let segment = in_header.or_else(|| PartPlace::of_fields(pdu.tlvs()));
    if octets.is_empty() && segment.is_none() {
        return Err(Untaken::Empty);
    }
    Ok(Piece {
        number,
        sender,
        to: plain(pdu.destination_addr.as_str()).to_owned(),
        said: Octets {
            alphabet,
            octets: octets.to_vec(),
        },
        segment,
        marks: marks(pdu),
    })
}

impl Piece {
    /// What a repetition of a message has in common with it, and another message most likely has
    /// not.
    pub(crate) fn fingerprint(&self, secret: &AccountSecret, text: &str) -> Fingerprint {
        let number = self.number.digits();
        Fingerprint::of(secret, &["message", number, &self.to, &self.marks, text])
    }

    /// The same of what has several parts: what each of them knows, whichever it is.
    pub(crate) fn joint_fingerprint(
        &self,
        secret: &AccountSecret,
        segment: PartPlace,
    ) -> Fingerprint {
        let number = self.number.digits();
        let (reference, total) = (segment.reference.to_string(), segment.total.to_string());
        let form = segment.form.code();
        let fields = ["parts", number, &self.to, form, &reference, &total];
        Fingerprint::of(secret, &fields)
    }

    /// Stands for who wrote it.
    pub(crate) fn number_fingerprint(&self, secret: &AccountSecret) -> Fingerprint {
        Fingerprint::of(secret, &["number", self.number.digits()])
    }
}

/// Whether an address may be in international form by its type. Digits of another type may
/// well look as a number of another country.
const fn may_be_international(kind: Ton) -> bool {
    match kind {
        Ton::Unknown | Ton::International | Ton::Other(_) => true,
        Ton::National
        | Ton::NetworkSpecific
        | Ton::SubscriberNumber
        | Ton::Alphanumeric
        | Ton::Abbreviated => false,
    }
}

/// An address without what stands before international digits.
pub(crate) fn plain(address: &str) -> &str {
    let address = address.strip_prefix('+').unwrap_or(address);
    address.strip_prefix("00").unwrap_or(address)
}

/// The payload counts more than the short message.
fn octets(pdu: &DeliverSm) -> &[u8] {
    let payload = pdu.tlvs().iter().find_map(|field| {
        let Some(TlvValue::MessagePayload(payload)) = field.value() else {
            return None;
        };
        Some(&payload.value[..])
    });
    payload.unwrap_or_else(|| pdu.short_message())
}

/// What distinguishes messages where an SMSC says it: few do.
fn marks(pdu: &DeliverSm) -> String {
    let mut marks = pdu.schedule_delivery_time.as_str().to_owned();
    for value in pdu.tlvs().iter().filter_map(Tlv::value) {
        if let TlvValue::UserMessageReference(reference) = value {
            marks = format!("{marks} reference {}", reference.value);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::super::segment::ReferencePlace;
    use super::*;
    use rusmpp_core::tlvs::owned::MessageDeliveryRequestTlvValue as Field;
    use rusmpp_core::types::owned::{AnyOctetString, COctetString, OctetString};
    use rusmpp_core::values::owned::MessagePayload;
    use rusmpp_core::values::{DataCoding, EsmClass, UserMessageReference};

    fn address(text: &str) -> COctetString<1, 21> {
        COctetString::from_string(text.to_owned()).unwrap()
    }

    fn pdu(octets: &[u8]) -> DeliverSm {
        let mut pdu = DeliverSm::default();
        pdu.esm_class = EsmClass::from(0);
        pdu.source_addr = address("2348031234567");
        pdu.destination_addr = address("32811");
        pdu.set_short_message(OctetString::from_vec(octets.to_vec()).unwrap());
        pdu
    }

    fn reading(pdu: &DeliverSm) -> Result<Piece, Untaken> {
        read(pdu, &"32811=CornerShop".parse().unwrap())
    }

    fn refused(pdu: &DeliverSm) -> Untaken {
        reading(pdu).err().unwrap()
    }

    #[test]
    fn a_message_is_read_with_who_wrote_it_to_whom() {
        let mut pdu = pdu(b"Hi");
        for (source, kind) in [
            ("2348031234567", Ton::Unknown),
            ("2348031234567", Ton::International),
            ("+2348031234567", Ton::International),
            ("002348031234567", Ton::Unknown),
            ("2348031234567", Ton::Other(7)),
        ] {
            pdu.source_addr = address(source);
            pdu.source_addr_ton = kind;
            let piece = reading(&pdu).unwrap();
            assert_eq!(piece.number.digits(), "2348031234567");
            assert_eq!(piece.sender.as_str(), "CornerShop");
            assert_eq!(piece.said.octets, b"Hi");
            assert_eq!(piece.segment, None);
        }
    }

    #[test]
    fn nothing_is_made_of_what_has_no_number_no_sender_or_no_words() {
        for source in ["", "MTN", "4711", "08031234567"] {
            let mut pdu = pdu(b"Hi");
            pdu.source_addr = address(source);
            assert_eq!(refused(&pdu), Untaken::NoNumber, "{source}");
        }
        for kind in 2..=6 {
            let mut pdu = pdu(b"Hi");
            pdu.source_addr_ton = Ton::from(kind);
            assert_eq!(refused(&pdu), Untaken::NoNumber, "{kind}");
        }
        let mut elsewhere = pdu(b"Hi");
        elsewhere.destination_addr = address("32812");
        assert_eq!(refused(&elsewhere), Untaken::NoSender);
        let mut binary = pdu(b"Hi");
        binary.data_coding = DataCoding::from(0x04);
        assert_eq!(refused(&binary), Untaken::NoText);
        assert_eq!(refused(&pdu(b"")), Untaken::Empty);
    }

    #[test]
    fn a_payload_counts_more_than_the_short_message_and_may_have_a_header() {
        let mut pdu = pdu(b"short");
        let octets = b"\x05\x00\x03\x01\x02\x01payload".to_vec();
        let payload = MessagePayload::new(AnyOctetString::from_vec(octets));
        pdu.push_tlv(Field::MessagePayload(payload));
        pdu.esm_class = EsmClass::from(0x40);
        let piece = reading(&pdu).unwrap();
        assert_eq!(piece.said.octets, b"payload");
        let expected = PartPlace {
            form: ReferencePlace::Short,
            reference: 1,
            total: 2,
            index: 1,
        };
        assert_eq!(piece.segment, Some(expected));
        // Without the bit they are octets like any others.
        pdu.esm_class = EsmClass::from(0);
        let piece = reading(&pdu).unwrap();
        assert_eq!((piece.segment, piece.said.octets.len()), (None, 13));
    }

    #[test]
    fn what_the_smsc_says_of_a_message_tells_it_from_another() {
        let secret = AccountSecret::new("s3cret".to_owned());
        let print = |pdu: &DeliverSm| reading(pdu).unwrap().fingerprint(&secret, "Hi");
        let bare = pdu(b"Hi");
        let mut prints = vec![print(&bare)];
        for field in [
            Field::UserMessageReference(UserMessageReference::new(7)),
            Field::UserMessageReference(UserMessageReference::new(8)),
        ] {
            let mut other = bare.clone();
            other.push_tlv(field);
            prints.push(print(&other));
        }
        let mut of_another = bare.clone();
        of_another.source_addr = address("2348031234568");
        prints.push(print(&of_another));
        prints.push(reading(&bare).unwrap().fingerprint(&secret, "hi"));
        let other = AccountSecret::new("other".to_owned());
        prints.push(reading(&bare).unwrap().fingerprint(&other, "Hi"));
        for (place, one) in prints.iter().enumerate() {
            assert!(!prints[..place].contains(one), "{place}");
        }
        assert_eq!(print(&bare.clone()), prints[0]);
    }
}
