//! A message as asked for, and with everything looked up.

use super::{WhatsappContent, WhatsappDelivery};
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::sms::{SenderName, SenderSerial};

/// A message as asked for, every value read and none looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatsappMessage {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The country whose plan the number must be in.
    pub country: CountryCode,
    /// The number of the person's account.
    pub number: PhoneNumber,
    /// The brand that holds the number's block, as the plan says, where that is recorded.
    pub network: Option<String>,
    /// The sender to show, by its serial number.
    pub sender: SenderSerial,
    /// What it says.
    pub content: WhatsappContent,
}

/// A message with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatsappOrder {
    /// The number of the person's account.
    pub number: PhoneNumber,
    /// The country whose plan the number was checked against.
    pub country: CountryCode,
    /// Brand name of the network that holds the number's block, frozen for the report.
    pub network: String,
    /// Serial number of the sender.
    pub sender: SenderSerial,
    /// Name of the sender, frozen as approved.
    pub sender_name: SenderName,
    /// What it says.
    pub content: WhatsappContent,
    /// The price of a message, in the currency the account pays messages with: naira or message
    /// credits.
    pub amount: Money,
}

impl FamilyOrder for WhatsappOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    /// The text of the message and the values of its template.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Whatsapp
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("WhatsApp {} to {}", self.sender_name.as_str(), self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Whatsapp(WhatsappDelivery::SUBMITTED))
    }
}

impl Fulfilment {
    /// What became of a WhatsApp message; `None` of any other family.
    pub const fn whatsapp(&self) -> Option<WhatsappDelivery> {
        if let Self::Whatsapp(delivery) = self {
            Some(*delivery)
        } else {
            None
        }
    }
}
