//! Transfers to cards. The card behind the token is looked up and frozen before any money is held,
//! so that no transfer goes to a token that stands for nothing.

use crate::fingerprint::{Fingerprinted, money};
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::card::{CardOrder, CardToken, CardTransfer, PaymentCard};
use domain::order::{Order, Service};
use domain::reference::MerchantReference;

impl Gateway {
    /// Pays to a card.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_card(
        &self,
        merchant: &Merchant,
        purchase: Purchase<CardTransfer>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = self.prepare_card(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, asked).await
    }

    pub(crate) async fn prepare_card(
        &self,
        merchant: &Merchant,
        transfer: &CardTransfer,
    ) -> Result<PricedOrder, RequestError> {
        let limits = self.catalogue().card_transfers(transfer.amount.currency());
        let unavailable = RequestError::ProviderUnavailable(Service::Card);
        let Some(limits) = limits else {
            return Err(unavailable);
        };
        let asked = RouteQuery::of(Service::Card, merchant.account.environment);
        if !self.providers().deliver(&asked) {
            return Err(unavailable);
        }
        RequestError::unless_within(limits, transfer.amount, Service::Card)?;
        let card = self.card_of(merchant, &transfer.token).await?;
        let quote = self.quote_payout(transfer.amount)?;
        let order = Order::Card(CardOrder {
            token: card.token,
            brand: card.brand,
            last: card.last,
            amount: transfer.amount,
            narration: transfer.narration.clone(),
        });
        Ok(PricedOrder { order, quote })
    }

    /// The card that a token stands for, as its provider says.
    async fn card_of(
        &self,
        merchant: &Merchant,
        token: &CardToken,
    ) -> Result<PaymentCard, RequestError> {
        let asked = self.lookups(merchant).cards.card(token);
        let is_asked_for = |card: &PaymentCard| card.token == *token;
        let found = self.looked_up(asked, is_asked_for).await;
        found.map_err(|failure| RequestError::Lookup(Service::Card, failure))
    }
}

impl Fingerprinted for CardTransfer {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            token,
            amount,
            narration,
        } = self;
        vec![
            "card".into(),
            reference.to_string(),
            token.as_str().into(),
            money(*amount),
            narration.as_str().into(),
        ]
    }
}
