//! A message as asked for, and with everything looked up.

use super::{RcsContent, RcsDelivery};
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::messaging::{AskedParties, MessageParties};
use crate::money::Money;
use crate::order::Service;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;

/// A message as asked for, every value read and none looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RcsMessage {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// Who sends to whom.
    pub parties: AskedParties,
    /// What it says.
    pub content: RcsContent,
}

/// A message with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RcsOrder {
    /// Who sends to whom.
    pub parties: MessageParties,
    /// What it says.
    pub content: RcsContent,
    /// The price of a message, in the currency the account pays messages with: naira or message
    /// credits. It is the same where a text message is sent instead.
    pub amount: Money,
}

impl FamilyOrder for RcsOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    /// The texts of the message and of what is sent instead.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Rcs
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        self.parties.narration("RCS")
    }

    fn digits(&self) -> &str {
        self.parties.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.parties.country)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Rcs(RcsDelivery::SUBMITTED))
    }
}
