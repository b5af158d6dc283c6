//! Text messages: what one costs, and many together. Everything after that is the one payment flow,
//! and the status of a message arrives as an observation of the provider; nothing here may touch
//! money.

use crate::gateway::{Gateway, Merchant};
use crate::messaging::{MessageFamily, MessageOffer};
use crate::payment::batch::{BatchItems, BatchResult, BatchTerms};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use domain::account::AccountId;
use domain::batch::BatchKind;
use domain::country::CountryCode;
use domain::money::Money;
use domain::order::Order;
use domain::pricing::{self, Terms};
use domain::sms::{BulkMessages, Message, MessageOrder, Segments, Sender};
use ports::PortError;
use std::sync::Arc;

impl Gateway {
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

    /// Sends many messages: every one is stored, paid for and in the queue, or none is.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn send_in_bulk(
        &self,
        merchant: &Merchant,
        purchase: Purchase<BulkMessages>,
    ) -> Result<BatchResult, RequestError> {
        let terms = BatchTerms {
            kind: BatchKind::Messages,
            on_failure: purchase.command.on_failure,
        };
        let items = async {
            let bulk = &purchase.command;
            let offer =
                self.message_offer(merchant, MessageFamily::Sms, (bulk.country, &bulk.sender));
            let offer = Arc::new(offer.await?);
            let account = merchant.account.id.clone();
            let messages: Arc<[Message]> = bulk.messages.clone().into();
            Ok(BatchItems {
                count: messages.len(),
                price: self.price_of_messages(&account, (&messages, &offer)),
                prepare: move |place: usize| {
                    let (gateway, account) = (self.clone(), account.clone());
                    let (messages, offer) = (messages.clone(), offer.clone());
                    async move {
                        let gone = || PortError::new("payment", "a batch lost one of its payments");
                        let message = messages.get(place).ok_or_else(gone)?;
                        let priced = gateway.price_message(&account, (message, &offer))?;
                        Ok((message.reference.clone(), priced))
                    }
                },
            })
        };
        self.open_batch(merchant, (&purchase, terms), items).await
    }

    /// What messages cost together; `None` where one has no price, which is said of it alone.
    fn price_of_messages(
        &self,
        account: &AccountId,
        (messages, offer): (&[Message], &MessageOffer),
    ) -> Option<Money> {
        let mut prices = messages.iter().map(|message| {
            let priced = self.price_message(account, (message, offer));
            Some(priced.ok()?.quote.price)
        });
        let first = prices.next()??;
        prices.try_fold(first, |sum, price| sum.checked_add(price?))
    }

    pub(crate) async fn prepare_message(
        &self,
        merchant: &Merchant,
        message: &Message,
    ) -> Result<PricedOrder, RequestError> {
        let asked = (message.country, &message.sender);
        let offer = self
            .message_offer(merchant, MessageFamily::Sms, asked)
            .await?;
        self.price_message(&merchant.account.id, (message, &offer))
    }

    fn price_message(
        &self,
        account: &AccountId,
        (message, MessageOffer { rate, sender }): (&Message, &MessageOffer),
    ) -> Result<PricedOrder, RequestError> {
        let segments = Segments::of(message.kind, &message.content)
            .map_err(|_| RequestError::MessageTooLong)?;
        let amount = rate.of(segments.parts).ok_or(RequestError::Unpriceable)?;
        let (terms, rule) = self.message_terms(account, message.country, rate.terms);
        let quote = pricing::quote(amount, &terms, rule).map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Sms(MessageOrder {
            number: message.number.clone(),
            country: message.country,
            network: message.network.clone().unwrap_or_default(),
            sender: sender.serial.clone(),
            sender_name: sender.name.clone(),
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
}
