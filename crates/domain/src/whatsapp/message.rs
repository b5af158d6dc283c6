//! A message as asked for, and with everything looked up.

use super::WhatsappContent;
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::messaging::{AskedParties, MessageDelivery, MessageParties};
use crate::money::Money;
use crate::order::Service;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A message as asked for, every value read and none looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatsappMessage {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// Who sends to whom.
    pub parties: AskedParties,
    /// What it says.
    pub content: WhatsappContent,
}

/// A message with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatsappOrder {
    /// Who sends to whom.
    pub parties: MessageParties,
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
        self.parties.narration("WhatsApp")
    }

    fn digits(&self) -> &str {
        self.parties.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.parties.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Whatsapp(MessageDelivery::SUBMITTED))
    }
}

impl Fulfilment {
    /// What became of a WhatsApp message; `None` of any other family.
    pub const fn whatsapp(&self) -> Option<MessageDelivery> {
        if let Self::Whatsapp(delivery) = self {
            Some(*delivery)
        } else {
            None
        }
    }
}
