//! Voice calls: who may call under which name, what a minute costs, who makes the call. Everything
//! after that is the one payment flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::country::CountryCode;
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::pricing::{self, UnitTerms};
use domain::voice::{VoiceCall, VoiceOrder};

impl Gateway {
    /// Where a number stands, by the plan of its country and by where calls are made.
    pub fn voice_number_status(
        &self,
        merchant: &Merchant,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> NumberStatus {
        let currency = merchant.account.message_currency;
        if self.catalogue().voice(country, currency).is_none() {
            return NumberStatus::CountryNotServed;
        }
        self.status_in_plan(number, country)
    }

    /// Calls a number.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn call_number(
        &self,
        merchant: &Merchant,
        purchase: Purchase<VoiceCall>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_call(merchant, &purchase.command).await;
        self.pay(merchant, &purchase, prepared).await
    }

    /// The price is held for the longest the call may take.
    async fn prepare_call(
        &self,
        merchant: &Merchant,
        call: &VoiceCall,
    ) -> Result<PricedOrder, RequestError> {
        let country = call.country;
        let currency = merchant.account.message_currency;
        let rate = self.catalogue().voice(country, currency);
        let rate = rate.ok_or(RequestError::CountryNotServed(country))?;
        let sender = self.approved_sender(merchant, &call.sender).await?;
        let asked = RouteQuery {
            country: Some(country),
            ..RouteQuery::of(Service::Voice, merchant.account.environment)
        };
        if !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::Voice));
        }
        let product = format!("{}.{country}", Service::Voice.code());
        let (terms, rule) = self.terms(&merchant.account.id, product, rate.terms);
        let price = UnitTerms { terms, ..rate };
        let quote = pricing::quote_units(&price, call.plan.minutes.get(), rule);
        let quote = quote.map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Voice(VoiceOrder {
            number: call.number.clone(),
            country,
            network: call.network.clone().unwrap_or_default(),
            sender: sender.serial.clone(),
            sender_name: sender.name.clone(),
            content: call.content.clone(),
            plan: call.plan,
            call_before: call.window.from(self.now()),
            amount: quote.amount,
        });
        Ok(PricedOrder { order, quote })
    }
}
