//! WhatsApp messages: who may send under which name, what a message costs, who delivers it.
//! Everything after that is the one payment flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing;
use domain::whatsapp::{WhatsappMessage, WhatsappOrder};

impl Gateway {
    /// Where a number stands, by the plan of its country and by where messages are sent.
    pub fn whatsapp_number_status(
        &self,
        merchant: &Merchant,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> NumberStatus {
        let currency = merchant.account.message_currency;
        if self.catalogue().whatsapp(country, currency).is_none() {
            return NumberStatus::CountryNotServed;
        }
        self.status_in_plan(number, country)
    }

    /// Sends a message.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn send_whatsapp(
        &self,
        merchant: &Merchant,
        purchase: Purchase<WhatsappMessage>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_whatsapp(merchant, &purchase.command).await;
        self.pay(merchant, &purchase, prepared).await
    }

    async fn prepare_whatsapp(
        &self,
        merchant: &Merchant,
        message: &WhatsappMessage,
    ) -> Result<PricedOrder, RequestError> {
        let country = message.country;
        let currency = merchant.account.message_currency;
        let rate = self.catalogue().whatsapp(country, currency);
        let rate = rate.ok_or(RequestError::CountryNotServed(country))?;
        let sender = self.approved_sender(merchant, &message.sender).await?;
        let asked = RouteQuery {
            country: Some(country),
            ..RouteQuery::of(Service::Whatsapp, merchant.account.environment)
        };
        if !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::Whatsapp));
        }
        let amount = rate.of(1).ok_or(RequestError::Unpriceable)?;
        let product = format!("{}.{country}", Service::Whatsapp.code());
        let (terms, rule) = self.terms(&merchant.account.id, product, rate.terms);
        let quote = pricing::quote(amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Whatsapp(WhatsappOrder {
            number: message.number.clone(),
            country,
            network: message.network.clone().unwrap_or_default(),
            sender: sender.serial.clone(),
            sender_name: sender.name.clone(),
            content: message.content.clone(),
            amount,
        });
        Ok(PricedOrder { order, quote })
    }
}
