//! RCS messages: what one costs, who delivers it. Everything after that is the one payment
//! flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::messaging::MessageFamily;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use domain::order::Order;
use domain::rcs::{RcsMessage, RcsOrder};

impl Gateway {
    /// Sends a message.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn send_rcs(
        &self,
        merchant: &Merchant,
        purchase: Purchase<RcsMessage>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_rcs(merchant, &purchase.command).await;
        self.pay(merchant, &purchase, prepared).await
    }

    async fn prepare_rcs(
        &self,
        merchant: &Merchant,
        message: &RcsMessage,
    ) -> Result<PricedOrder, RequestError> {
        let priced = self.price_whole_message(merchant, (MessageFamily::Rcs, 1), &message.parties);
        let priced = priced.await?;
        let order = Order::Rcs(RcsOrder {
            parties: priced.parties,
            content: message.content.clone(),
            amount: priced.amount,
        });
        Ok(PricedOrder {
            order,
            quote: priced.quote,
        })
    }
}
