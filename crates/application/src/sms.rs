//! Text messages: who may send under which name, what a message costs, who delivers it. Everything
//! after that is the one payment flow, and the status of a message arrives as an observation
//! of the provider; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::account::AccountId;
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing;
use domain::pricing::Terms;
use domain::sms::{Message, MessageOrder, Segments, Sender, SenderSerial, SenderStatus};

impl Gateway {
    /// Where a number stands, by the plan of its country and by where messages are sent.
    pub fn message_number_status(
        &self,
        merchant: &Merchant,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> NumberStatus {
        let currency = merchant.account.message_currency;
        if self.catalogue().message(country, currency).is_none() {
            return NumberStatus::CountryNotServed;
        }
        self.status_in_plan(number, country)
    }

    /// Sends a message.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn send_message(
        &self,
        merchant: &Merchant,
        purchase: Purchase<Message>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_message(merchant, &purchase.command).await;
        self.pay(merchant, &purchase, prepared).await
    }

    /// The senders of a merchant, whatever was decided about them.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn senders(&self, merchant: &Merchant) -> Result<Vec<Sender>, RequestError> {
        let account = &merchant.account.id;
        Ok(self.parts().senders.senders(Some(account)).await?)
    }

    pub(crate) async fn prepare_message(
        &self,
        merchant: &Merchant,
        message: &Message,
    ) -> Result<PricedOrder, RequestError> {
        let currency = merchant.account.message_currency;
        let rate = self.catalogue().message(message.country, currency);
        let rate = rate.ok_or(RequestError::CountryNotServed(message.country))?;
        let sender = self.approved_sender(merchant, &message.sender).await?;
        let asked = RouteQuery {
            country: Some(message.country),
            ..RouteQuery::of(Service::Sms, merchant.account.environment)
        };
        if !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::Sms));
        }
        let segments = Segments::of(message.kind, &message.content)
            .map_err(|_| RequestError::MessageTooLong)?;
        let amount = rate.of(segments.parts).ok_or(RequestError::Unpriceable)?;
        let account = &merchant.account.id;
        let (terms, rule) = self.message_terms(account, message.country, rate.terms);
        let quote = pricing::quote(amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Sms(MessageOrder {
            number: message.number.clone(),
            country: message.country,
            network: message.network.clone().unwrap_or_default(),
            sender: sender.serial,
            sender_name: sender.name,
            kind: message.kind,
            content: message.content.clone(),
            segments,
            variant: message.variant,
            amount,
        });
        Ok(PricedOrder { order, quote })
    }

    pub(crate) fn message_terms(
        &self,
        account: &AccountId,
        country: CountryCode,
        base: Terms,
    ) -> (Terms, String) {
        self.terms(account, format!("sms.{country}"), base)
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
