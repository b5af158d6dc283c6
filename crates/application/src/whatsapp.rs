//! WhatsApp messages: what one costs, who delivers it. Everything after that is the one payment
//! flow; nothing here may touch money.

use crate::gateway::{Gateway, Merchant};
use crate::messaging::MessageFamily;
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::{MessageRefusal, RequestError};
use domain::order::Order;
use domain::whatsapp::{WhatsappMessage, WhatsappOrder};

impl Gateway {
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
        let priced =
            self.price_whole_message(merchant, (MessageFamily::Whatsapp, 1), &message.parties);
        let priced = priced.await?;
        let to = (&priced.parties.number, priced.parties.country);
        if message.content.template().is_none()
            && self
                .is_closed(merchant, to, &priced.parties.sender_name)
                .await?
        {
            return Err(MessageRefusal::ConversationClosed.into());
        }
        let order = Order::Whatsapp(WhatsappOrder {
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
