//! Transfers between the wallets of an account: money buys message credits at the price that is in
//! force. Nothing is asked of a provider, so one commit does it whole or not at all.

use crate::fingerprint::{Fingerprinted, money};
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use domain::environment::Environment;
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::pricing;
use domain::reference::MerchantReference;
use domain::wallet::{WalletOrder, WalletTransfer, credit_limits};

/// What a credit costs test accounts where no price was set, in kobo: what the sandbox asks for the
/// part of a message that costs one credit.
const SANDBOX_PRICE: i64 = 400;

impl Gateway {
    /// Moves money to the message credits of the same account.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn transfer_to_wallet(
        &self,
        merchant: &Merchant,
        purchase: Purchase<WalletTransfer>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_wallet(merchant, &purchase.command);
        self.pay(merchant, &purchase, prepared).await
    }

    fn prepare_wallet(
        &self,
        merchant: &Merchant,
        transfer: &WalletTransfer,
    ) -> Result<PricedOrder, RequestError> {
        let unavailable = RequestError::ProviderUnavailable(Service::Wallet);
        let (unit, rule) = self.credit_price(merchant).ok_or(unavailable)?;
        RequestError::unless_within(credit_limits(unit), transfer.amount, Service::Wallet)?;
        let order = WalletOrder::priced(transfer, unit).ok_or(RequestError::Unpriceable)?;
        let quote = pricing::quote_own(transfer.amount, rule);
        let quote = quote.map_err(|_| RequestError::Unpriceable)?;
        let order = Order::Wallet(order);
        Ok(PricedOrder { order, quote })
    }

    /// What one credit costs an account now, and by which rule; `None` where none are sold.
    fn credit_price(&self, merchant: &Merchant) -> Option<(Money, String)> {
        let configured = self.parts().credit_prices.at(self.now());
        configured.or_else(|| match merchant.account.environment {
            Environment::Test => {
                let price = Money::from_minor(SANDBOX_PRICE, Currency::Ngn);
                Some((price, "credit-price:sandbox".to_owned()))
            }
            Environment::Live => None,
        })
    }
}

impl Fingerprinted for WalletTransfer {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            amount,
            narration,
        } = self;
        vec![
            "wallet".into(),
            reference.to_string(),
            money(*amount),
            narration.as_str().into(),
        ]
    }
}
