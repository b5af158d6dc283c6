//! What stands in for the providers of a command that is no server. It must never reach anyone:
//! what a command decides rests on what is stored.

use async_trait::async_trait;
use domain::bank::{AccountNumber, BankAccount, BankIdentifier};
use domain::bill::{BillAccount, BillQuery};
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::card::{CardToken, PaymentCard};
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::international::{ProviderQuote, QuoteRequest};
use domain::mobile_money::MobileWallet;
use domain::phone::PhoneNumber;
use domain::subscription::BillerCode;
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::cards::PaymentCards;
use ports::exchange::ExchangeQuotes;
use ports::mobile_money::MobileWallets;
use ports::provider::{LookupFailure, Meters, Smartcards};

/// Billers that cannot be reached from here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offline;

#[async_trait]
impl Meters for Offline {
    async fn meter(
        &self,
        _disco: &DiscoCode,
        _number: &MeterNumber,
        _billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl Smartcards for Offline {
    async fn smartcard(
        &self,
        _provider: &BillerCode,
        _number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl BankAccounts for Offline {
    async fn account(
        &self,
        _bank: &BankIdentifier,
        _number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl PaymentCards for Offline {
    async fn card(&self, _token: &CardToken) -> Result<PaymentCard, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl ExchangeQuotes for Offline {
    async fn exchange_quote(&self, _asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl MobileWallets for Offline {
    async fn wallet(
        &self,
        _operator: &BillerCode,
        _number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl BillAccounts for Offline {
    async fn bill_account(&self, _query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        Err(LookupFailure::Unreachable)
    }
}
