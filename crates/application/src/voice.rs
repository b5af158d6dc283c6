//! Voice calls: what one costs, who makes it. Everything after that is the one payment flow;
//! nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::messaging::MessageFamily;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use domain::order::Order;
use domain::voice::{VoiceCall, VoiceOrder};

impl Gateway {
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

    /// The price is held for the longest that the call may take.
    async fn prepare_call(
        &self,
        merchant: &Merchant,
        call: &VoiceCall,
    ) -> Result<PricedOrder, RequestError> {
        let by_minute = (MessageFamily::Voice, call.plan.minutes.get());
        let priced = self.price_whole_message(merchant, by_minute, &call.parties);
        let priced = priced.await?;
        let order = Order::Voice(VoiceOrder {
            parties: priced.parties,
            content: call.content.clone(),
            plan: call.plan,
            call_before: call.window.from(self.now()),
            amount: priced.amount,
        });
        Ok(PricedOrder {
            order,
            quote: priced.quote,
        })
    }
}
