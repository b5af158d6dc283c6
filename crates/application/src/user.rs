//! Transfers to other accounts. No provider is asked: the account that has the identity is paid by
//! the commit that opens the transfer, and an address that no account has waits for one.

mod claims;

pub use claims::ClaimWorker;

use crate::fingerprint::{Fingerprinted, money};
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use domain::account::{AccountIdentity, AccountStatus};
use domain::order::{Order, Service};
use domain::pricing;
use domain::reference::MerchantReference;
use domain::user::{Payee, Recipient, UserOrder, UserTransfer, user_limits};
use std::time::Duration;

/// How long money waits for an account to have the address: 30 days, in which a merchant who was
/// invited can have an account opened.
const UNCLAIMED_FOR: Duration = Duration::from_hours(30 * 24);

/// Most transfers of an account that wait at a time: they are looked for every few seconds.
pub(crate) const UNCLAIMED_MAX: u64 = 1_000;

/// What a transfer costs: nothing but what it pays.
const RULE: &str = "user-transfer:free";

/// Why an account cannot be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayeeRefusal {
    /// No account of the environment has the identity.
    #[error("no account has this identity")]
    Unknown,
    /// It is the account that pays.
    #[error("the account cannot pay itself")]
    Own,
    /// It is suspended.
    #[error("the account that is to be paid is suspended")]
    Suspended,
    /// As many transfers as may wait for an account do.
    #[error("{UNCLAIMED_MAX} transfers wait for an account already")]
    TooManyUnclaimed,
}

impl Gateway {
    /// Pays another account of the environment.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn transfer_to_user(
        &self,
        merchant: &Merchant,
        purchase: Purchase<UserTransfer>,
    ) -> Result<PaymentResult, RequestError> {
        let prepared = self.prepare_user(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, prepared).await
    }

    async fn prepare_user(
        &self,
        merchant: &Merchant,
        transfer: &UserTransfer,
    ) -> Result<PricedOrder, RequestError> {
        RequestError::unless_within(user_limits(), transfer.amount, Service::User)?;
        let order = UserOrder {
            identity: transfer.identity.clone(),
            amount: transfer.amount,
            narration: transfer.narration.clone(),
            from: merchant.account.name.clone(),
            recipient: self.recipient(merchant, &transfer.identity).await?,
        };
        let quote = pricing::quote_own(transfer.amount, RULE.to_owned());
        let quote = quote.map_err(|_| RequestError::Unpriceable)?;
        let order = Order::User(order);
        Ok(PricedOrder { order, quote })
    }

    /// The account that has an identity now. Its own identity is that of an account or of none; an
    /// address may be one's later.
    async fn recipient(
        &self,
        merchant: &Merchant,
        identity: &AccountIdentity,
    ) -> Result<Recipient, RequestError> {
        // Asked first: who waits for as many as may wait learns nothing of an address.
        if !matches!(identity, AccountIdentity::Id(_)) {
            let leases = &self.parts().leases;
            if leases.unclaimed(&merchant.account.id).await? >= UNCLAIMED_MAX {
                return Err(PayeeRefusal::TooManyUnclaimed.into());
            }
        }
        let environment = merchant.account.environment;
        let accounts = &self.parts().accounts;
        let found = accounts.account_by_identity(environment, identity).await?;
        let Some(account) = found else {
            return match identity {
                AccountIdentity::Id(_) => Err(PayeeRefusal::Unknown.into()),
                AccountIdentity::Email(_) | AccountIdentity::Phone(_) => {
                    let until = self.now().plus(UNCLAIMED_FOR);
                    Ok(Recipient::Unclaimed { until })
                }
            };
        };
        if account.id == merchant.account.id {
            return Err(PayeeRefusal::Own.into());
        }
        match account.status {
            AccountStatus::Suspended => Err(PayeeRefusal::Suspended.into()),
            AccountStatus::Active => Ok(Recipient::Account(Payee {
                account: account.id,
                name: account.name,
            })),
        }
    }
}

impl Fingerprinted for UserTransfer {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            identity,
            amount,
            narration,
        } = self;
        vec![
            "user".into(),
            reference.to_string(),
            identity.to_string(),
            money(*amount),
            narration.as_str().into(),
        ]
    }
}
