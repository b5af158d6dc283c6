//! Lookups over the protocol. Only a verified, listed answer is one; whatever else came must say
//! that the biller was not reached or not understood, never that there is no such customer.

use crate::exchange::Unsigned;
use crate::provider::{ASK_WITHIN, HttpProvider};
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankAccount, BankIdentifier};
use domain::bill::{BillAccount, BillQuery};
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::card::{CardToken, PaymentCard};
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::international::{ProviderQuote, QuoteRequest};
use domain::mobile_money::MobileWallet;
use domain::phone::{PhoneNumber, ServedNumber};
use domain::subscription::BillerCode;
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::cards::PaymentCards;
use ports::exchange::ExchangeQuotes;
use ports::mobile_money::MobileWallets;
use ports::number_operators::NumberOperators;
use ports::provider::{LookupFailure, Meters, Smartcards};
use provider_protocol::{
    AccountLookup, BankAccountDocument, BillAccountDocument, CardLookup, CustomerLookup, Feature,
    LookupAnswer, MeterDocument, MeterLookup, MobileWalletDocument, OperatorLookup,
    PaymentCardDocument, QuoteDocument, QuoteLookup, ServedNumberDocument, SmartcardDocument,
    SmartcardLookup, WalletLookup, read, write,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

impl HttpProvider {
    async fn look_up<Q: Serialize, A: DeserializeOwned>(
        &self,
        (feature, name): (Feature, &'static str),
        question: &Q,
    ) -> Result<A, LookupFailure> {
        if !self.offers(feature) {
            return Err(LookupFailure::Unreachable);
        }
        let body = write(question).map_err(|_| LookupFailure::Unusable)?;
        let asked = Unsigned::Post(format!("/lookups/{name}"), body);
        let answer = self.exchanger.ask(asked, ASK_WITHIN).await;
        let body = answer.map_err(|error| {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, lookup = name, "a lookup was not answered");
            LookupFailure::Unreachable
        })?;
        match read(&body).map_err(|_| LookupFailure::Unusable)? {
            LookupAnswer::Found { customer } => Ok(customer),
            LookupAnswer::Unknown => Err(LookupFailure::Unknown),
            LookupAnswer::Unreachable => Err(LookupFailure::Unreachable),
            LookupAnswer::Unlisted => Err(LookupFailure::Unusable),
        }
    }
}

/// What was found, where it is what was asked for.
fn same<T>(found: T, is_it: impl FnOnce(&T) -> bool) -> Result<T, LookupFailure> {
    if is_it(&found) {
        Ok(found)
    } else {
        Err(LookupFailure::Unusable)
    }
}

#[async_trait]
impl Meters for HttpProvider {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        let question = MeterLookup::new(disco, number, billing);
        let found = self
            .look_up((Feature::MeterLookup, "meter"), &question)
            .await;
        let found: MeterDocument = found?;
        let meter = found.meter().map_err(|_| LookupFailure::Unusable)?;
        same(meter, |meter| {
            meter.disco == *disco && meter.number == *number
        })
    }
}

#[async_trait]
impl Smartcards for HttpProvider {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        let question = SmartcardLookup::new(provider, number);
        let found = self
            .look_up((Feature::SmartcardLookup, "smartcard"), &question)
            .await;
        let found: SmartcardDocument = found?;
        let card = found.smartcard().map_err(|_| LookupFailure::Unusable)?;
        same(card, |card| {
            card.provider == *provider && card.number == *number
        })
    }
}

#[async_trait]
impl BankAccounts for HttpProvider {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        let question = AccountLookup::new(bank, number);
        let found = self
            .look_up((Feature::AccountLookup, "account"), &question)
            .await;
        let found: BankAccountDocument = found?;
        let account = found.account().map_err(|_| LookupFailure::Unusable)?;
        same(account, |account| {
            account.bank == *bank && account.number == *number
        })
    }
}

#[async_trait]
impl PaymentCards for HttpProvider {
    async fn card(&self, token: &CardToken) -> Result<PaymentCard, LookupFailure> {
        let question = CardLookup::new(token);
        let found = self.look_up((Feature::CardLookup, "card"), &question).await;
        let found: PaymentCardDocument = found?;
        let card = found.card().map_err(|_| LookupFailure::Unusable)?;
        same(card, |card| card.token == *token)
    }
}

#[async_trait]
impl ExchangeQuotes for HttpProvider {
    async fn exchange_quote(&self, asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure> {
        let question = QuoteLookup::from(asked);
        let found = self
            .look_up((Feature::QuoteLookup, "quote"), &question)
            .await;
        let found: QuoteDocument = found?;
        let quote = found.quote(self.id.clone());
        let quote = quote.map_err(|_| LookupFailure::Unusable)?;
        same(quote, |quote| quote.answers(asked))
    }
}

#[async_trait]
impl MobileWallets for HttpProvider {
    async fn wallet(
        &self,
        operator: &BillerCode,
        number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure> {
        let question = WalletLookup::new(operator, number);
        let found = self
            .look_up((Feature::WalletLookup, "wallet"), &question)
            .await;
        let found: MobileWalletDocument = found?;
        let wallet = found.wallet().map_err(|_| LookupFailure::Unusable)?;
        same(wallet, |wallet| {
            wallet.operator == *operator && wallet.number == *number
        })
    }
}

#[async_trait]
impl BillAccounts for HttpProvider {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        let question = CustomerLookup::from(query);
        let found = self
            .look_up((Feature::CustomerLookup, "customer"), &question)
            .await;
        let found: BillAccountDocument = found?;
        let account = found.account().map_err(|_| LookupFailure::Unusable)?;
        same(account, |account| {
            account.biller == query.biller && account.number == query.number
        })
    }
}

#[async_trait]
impl NumberOperators for HttpProvider {
    async fn served_number(
        &self,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> Result<ServedNumber, LookupFailure> {
        let question = OperatorLookup::new(number, country);
        let found = self
            .look_up((Feature::OperatorLookup, "operator"), &question)
            .await;
        let found: ServedNumberDocument = found?;
        let served = found.served_number();
        let served = served.map_err(|_| LookupFailure::Unusable)?;
        same(served, |served| served.number == *number)
    }
}
