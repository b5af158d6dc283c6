//! What a merchant asks to have sent, and what becomes of it before it is paid for. An order must
//! never be counted or priced again to explain an old message.

use super::Dispatch;
use super::{Content, MessageKind, Segments, SenderName, SenderSerial};
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// Which of the two sets of field names a request used; its answer and report use the same
/// (interface §2.8). It is no part of what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldNaming {
    /// `number`, `sender`, `type`, `message`.
    A,
    /// `phnNumber`, `msgSender`, `msgType`, `msgContent`.
    B,
}

impl FieldNaming {
    /// The lower-case letter for records: `a` or `b`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }

    /// Reads the letter of a record; `None` for any other text.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::A, Self::B]
            .into_iter()
            .find(|variant| variant.code() == code)
    }
}

/// A message as asked for, every value read and none looked up yet (interface §4.6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The country whose plan the number must be in.
    pub country: CountryCode,
    /// The number to send to.
    pub number: PhoneNumber,
    /// The brand that holds the number's block, as the plan says, where that is recorded.
    pub network: Option<String>,
    /// The sender to show, by its serial number.
    pub sender: SenderSerial,
    /// Type of message.
    pub kind: MessageKind,
    /// What it says.
    pub content: Content,
    /// Which field names to answer with.
    pub variant: FieldNaming,
}

/// A message with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageOrder {
    /// The number to send to.
    pub number: PhoneNumber,
    /// The country whose plan the number was checked against.
    pub country: CountryCode,
    /// Brand name of the network that holds the number's block, frozen for the report.
    pub network: String,
    /// Serial number of the sender.
    pub sender: SenderSerial,
    /// Name of the sender, frozen as approved.
    pub sender_name: SenderName,
    /// Type of message.
    pub kind: MessageKind,
    /// What it says.
    pub content: Content,
    /// Encoding and number of parts.
    pub segments: Segments,
    /// Which field names to answer with.
    pub variant: FieldNaming,
    /// Parts × price of one part, in the currency the account pays messages with: naira or
    /// message credits (interface §2.8).
    pub amount: Money,
}

impl FamilyOrder for MessageOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    /// The text of the message.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Sms
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("SMS {} to {}", self.sender_name.as_str(), self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    /// There must be a status for each part.
    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let dispatch = fulfilment.dispatch();
        dispatch.is_some_and(|it| it.parts().len() == usize::from(self.segments.parts))
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Sms(Dispatch::new(self.segments.parts)))
    }
}

impl Fulfilment {
    /// What became of a message; `None` of any other family.
    pub const fn dispatch(&self) -> Option<&Dispatch> {
        if let Self::Sms(dispatch) = self {
            Some(dispatch)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_read_back_from_its_letter() {
        for variant in [FieldNaming::A, FieldNaming::B] {
            assert_eq!(FieldNaming::from_code(variant.code()), Some(variant));
        }
        assert_eq!(FieldNaming::from_code("A"), None);
    }
}
