//! Mobile money: operators, wallet enquiry and transfers. The owner of the wallet is looked up and
//! frozen before any money is held, so that no transfer goes to a wallet that does not exist.

use crate::fingerprint::{Fingerprinted, money};
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use crate::routes::RouteQuery;
use domain::country::CountryCode;
use domain::mobile_money::{
    MobileMoneyOperator, MobileMoneyOrder, MobileMoneyTransfer, MobileWallet, MobileWalletStatus,
};
use domain::order::{Order, Service};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::reference::MerchantReference;
use domain::subscription::BillerCode;
use ports::provider::LookupFailure;

impl Gateway {
    /// The operators of a country whose wallets can be paid now.
    ///
    /// # Errors
    /// When none are known there.
    pub fn mobile_money_operators(
        &self,
        country: CountryCode,
    ) -> Result<Vec<MobileMoneyOperator>, RequestError> {
        let all = self.catalogue().mobile_money_operators(country);
        if all.is_empty() {
            return Err(RequestError::CountryNotServed(country));
        }
        let listed = all.into_iter().filter(|operator| operator.available);
        Ok(listed.cloned().collect())
    }

    /// Whose a wallet is, as its operator says, and the operator.
    ///
    /// # Errors
    /// When the operator is unknown, or knows no such wallet or cannot be reached.
    pub async fn mobile_wallet(
        &self,
        merchant: &Merchant,
        (operator, number): (&BillerCode, &PhoneNumber),
    ) -> Result<(MobileMoneyOperator, MobileWallet), RequestError> {
        let known = self.catalogue().mobile_money_operator(operator);
        let known = known.ok_or(RequestError::ProviderUnknown(Service::MobileMoney))?;
        let wallets = &self.lookups(merchant).mobile_wallets;
        let asked = wallets.wallet(operator, number);
        let is_asked_for =
            |wallet: &MobileWallet| wallet.operator == *operator && wallet.number == *number;
        let found = self.looked_up(asked, is_asked_for).await;
        let wallet =
            found.map_err(|failure| RequestError::Lookup(Service::MobileMoney, failure))?;
        Ok((known.clone(), wallet))
    }

    /// Pays to a mobile money wallet.
    ///
    /// # Errors
    /// See [`RequestError`]: nothing was stored and no money moved.
    pub async fn pay_mobile_money(
        &self,
        merchant: &Merchant,
        purchase: Purchase<MobileMoneyTransfer>,
    ) -> Result<PaymentResult, RequestError> {
        let asked = self.prepare_mobile_money(merchant, &purchase.command);
        self.pay_once(merchant, &purchase, asked).await
    }

    pub(crate) async fn prepare_mobile_money(
        &self,
        merchant: &Merchant,
        transfer: &MobileMoneyTransfer,
    ) -> Result<PricedOrder, RequestError> {
        let operators = self.mobile_money_operators(transfer.country)?;
        let unknown = || RequestError::ProviderUnknown(Service::MobileMoney);
        let operator = self.catalogue().mobile_money_operator(&transfer.operator);
        let operator = operator.filter(|it| it.country == transfer.country);
        let operator = operator.ok_or_else(unknown)?;
        let is_in_plan = self.status_in_plan(&transfer.number, transfer.country);
        if is_in_plan == NumberStatus::NotInPlan {
            return Err(RequestError::NumberNotInPlan);
        }
        let asked = RouteQuery {
            biller: Some(transfer.operator.as_str()),
            ..RouteQuery::of(Service::MobileMoney, merchant.account.environment)
        };
        let is_open = operators.iter().any(|it| it.code == operator.code);
        let pays = operator.minimum.currency() == transfer.amount.currency();
        if !is_open || !pays || !self.providers().deliver(&asked) {
            return Err(RequestError::ProviderUnavailable(Service::MobileMoney));
        }
        let limits = (operator.minimum, operator.maximum);
        RequestError::unless_within(limits, transfer.amount, Service::MobileMoney)?;
        let asked = (&transfer.operator, &transfer.number);
        let (operator, wallet) = self.mobile_wallet(merchant, asked).await?;
        if wallet.status != MobileWalletStatus::Available {
            let closed = LookupFailure::Unknown;
            return Err(RequestError::Lookup(Service::MobileMoney, closed));
        }
        let quote = self.quote_payout(transfer.amount)?;
        let order = Order::MobileMoney(MobileMoneyOrder {
            operator: operator.code,
            brandname: operator.brandname,
            country: operator.country,
            number: wallet.number,
            account_name: wallet.name,
            amount: transfer.amount,
            narration: transfer.narration.clone(),
        });
        Ok(PricedOrder { order, quote })
    }
}

impl Fingerprinted for MobileMoneyTransfer {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            country,
            operator,
            number,
            amount,
            narration,
        } = self;
        vec![
            "mobilemoney".into(),
            reference.to_string(),
            country.to_string(),
            operator.to_string(),
            number.to_string(),
            money(*amount),
            narration.as_str().into(),
        ]
    }
}
