//! What messages of every kind share: where they are sent, under which sender, and what one costs.
//! It must not know what a message says, and never touch money.

use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::country::CountryCode;
use domain::messaging::{AskedParties, MessageParties};
use domain::money::Money;
use domain::order::Service;
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing::{self, Quote, UnitTerms};
use domain::sms::{Sender, SenderSerial, SenderStatus};

/// The families of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFamily {
    /// Text messages, priced by their parts.
    Sms,
    /// WhatsApp messages.
    Whatsapp,
    /// RCS messages.
    Rcs,
    /// Voice calls, priced by the minute.
    Voice,
    /// Calls that run a flow, priced by the minute.
    Ivr,
}

impl MessageFamily {
    pub(crate) const ALL: [Self; 5] =
        [Self::Sms, Self::Whatsapp, Self::Rcs, Self::Voice, Self::Ivr];

    pub(crate) const fn service(self) -> Service {
        match self {
            Self::Sms => Service::Sms,
            Self::Whatsapp => Service::Whatsapp,
            Self::Rcs => Service::Rcs,
            Self::Voice => Service::Voice,
            Self::Ivr => Service::Ivr,
        }
    }
}

/// What messages of a sender to a country cost.
#[derive(Debug)]
pub(crate) struct MessageOffer {
    pub(crate) rate: UnitTerms,
    pub(crate) sender: Sender,
}

/// A message that is priced as a whole, or by units that do not depend on what it says.
pub(crate) struct WholeMessage {
    pub(crate) parties: MessageParties,
    pub(crate) amount: Money,
    pub(crate) quote: Quote,
}

impl Gateway {
    /// What a message of a family to a country costs a merchant; `None` where none is sent there.
    pub(crate) fn message_rate(
        &self,
        merchant: &Merchant,
        (family, country): (MessageFamily, CountryCode),
    ) -> Option<UnitTerms> {
        let catalogue = self.catalogue();
        let currency = merchant.account.message_currency;
        match family {
            MessageFamily::Sms => catalogue.message(country, currency),
            MessageFamily::Whatsapp => catalogue.whatsapp(country, currency),
            MessageFamily::Rcs => catalogue.rcs(country, currency),
            MessageFamily::Voice => catalogue.voice(country, currency),
            MessageFamily::Ivr => catalogue.ivr(country, currency),
        }
    }

    /// Says where a number stands, by the plan of its country and by where messages are sent.
    pub fn message_numbers(
        &self,
        merchant: &Merchant,
        family: MessageFamily,
    ) -> impl Fn(&PhoneNumber, CountryCode) -> NumberStatus {
        move |number, country| match self.message_rate(merchant, (family, country)) {
            Some(_) => self.status_in_plan(number, country),
            None => NumberStatus::CountryNotServed,
        }
    }

    /// What a merchant's messages to a country cost, where it may send them under the sender.
    pub(crate) async fn message_offer(
        &self,
        merchant: &Merchant,
        family: MessageFamily,
        (country, sender): (CountryCode, &SenderSerial),
    ) -> Result<MessageOffer, RequestError> {
        let rate = self.message_rate(merchant, (family, country));
        let rate = rate.ok_or(RequestError::CountryNotServed(country))?;
        let sender = self.approved_sender(merchant, sender).await?;
        let service = family.service();
        let asked = RouteQuery {
            country: Some(country),
            ..RouteQuery::of(service, merchant.account.environment)
        };
        if !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(service));
        }
        Ok(MessageOffer { rate, sender })
    }

    /// The price of one message of a family whose messages have no parts: of so many units.
    pub(crate) async fn price_whole_message(
        &self,
        merchant: &Merchant,
        (family, units): (MessageFamily, u8),
        asked: &AskedParties,
    ) -> Result<WholeMessage, RequestError> {
        let country = asked.country;
        let sought = (country, &asked.sender);
        let offer = self.message_offer(merchant, family, sought).await?;
        let product = format!("{}.{country}", family.service().code());
        let (terms, rule) = self.terms(&merchant.account.id, product, offer.rate.terms);
        let unit = offer.rate.unit;
        let quote = pricing::quote_units(&UnitTerms { unit, terms }, units, rule);
        let quote = quote.map_err(|_| RequestError::Unpriceable)?;
        Ok(WholeMessage {
            parties: asked.from_sender(&offer.sender),
            amount: quote.amount,
            quote,
        })
    }

    /// The account's own sender, once an operator has approved it.
    async fn approved_sender(
        &self,
        merchant: &Merchant,
        serial: &SenderSerial,
    ) -> Result<Sender, RequestError> {
        let senders = &self.parts().senders;
        let found = senders.sender(&merchant.account.id, serial).await?;
        let sender = found.ok_or(RequestError::SenderUnknown)?;
        match sender.status {
            SenderStatus::Approved => Ok(sender),
            SenderStatus::Pending | SenderStatus::Rejected => Err(RequestError::SenderNotApproved),
        }
    }
}
