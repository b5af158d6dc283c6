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
use domain::wallet::{WalletOrder, WalletTransfer};

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
        let limits = (
            least_for_credit(unit),
            Money::from_minor(Money::MAX_MINOR, unit.currency()),
        );
        RequestError::unless_within(limits, transfer.amount, Service::Wallet)?;
        let order = WalletOrder::priced(transfer, unit);
        let order = order.ok_or(RequestError::AboveMaximum(
            Service::Wallet,
            most_for_credit(unit),
        ))?;
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

/// The least that buys the smallest part of a credit.
fn least_for_credit(unit: Money) -> Money {
    let parts = Currency::Crd.minor_per_major();
    let least = unit.minor().saturating_add(parts.saturating_sub(1));
    let least = least.checked_div(parts).unwrap_or(least);
    Money::from_minor(least, unit.currency())
}

/// The most that buys no more credits than a wallet holds.
fn most_for_credit(unit: Money) -> Money {
    let parts = i128::from(Currency::Crd.minor_per_major());
    let most = i128::from(Money::MAX_MINOR).saturating_mul(i128::from(unit.minor()));
    let most = most
        .checked_div(parts)
        .and_then(|it| i64::try_from(it).ok());
    Money::from_minor(
        most.unwrap_or(Money::MAX_MINOR).min(Money::MAX_MINOR),
        unit.currency(),
    )
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
