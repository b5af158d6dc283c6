//! Lookups of meters, cards and accounts at a scripted provider: each succeeds unless a test sets
//! another answer. A lookup must never change its journal.

use super::ScriptedProvider;
use crate::builders::{
    bank_account, bill_account, meter, mobile_wallet, payment_card, provider_quote_of, smartcard,
};
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
use std::collections::VecDeque;
use std::time::Duration;

/// Answers that were scripted, each kind in its order.
#[derive(Debug, Default)]
pub(super) struct ScriptedLookups {
    meters: VecDeque<Result<Meter, LookupFailure>>,
    smartcards: VecDeque<Result<Smartcard, LookupFailure>>,
    accounts: VecDeque<Result<BankAccount, LookupFailure>>,
    wallets: VecDeque<Result<MobileWallet, LookupFailure>>,
    cards: VecDeque<Result<PaymentCard, LookupFailure>>,
    exchange_quotes: VecDeque<Result<ProviderQuote, LookupFailure>>,
    bills: VecDeque<Result<BillAccount, LookupFailure>>,
    operators: VecDeque<ScriptedNumber>,
    numbers_asked: u32,
}

/// What a lookup of a number answers, and after which time.
type ScriptedNumber = (Result<ServedNumber, LookupFailure>, Duration);

impl ScriptedProvider {
    /// What it answers to the next look-up of a number that has no instruction yet, and after which
    /// time. Without one it knows no number.
    pub fn on_number(&self, answer: Result<ServedNumber, LookupFailure>, after: Duration) -> &Self {
        self.script().lookups.operators.push_back((answer, after));
        self
    }

    /// How many numbers it was asked about.
    pub fn numbers_asked(&self) -> u32 {
        self.script().lookups.numbers_asked
    }

    /// What it answers to the next look-up of a meter that has no instruction yet.
    pub fn on_meter(&self, answer: Result<Meter, LookupFailure>) -> &Self {
        self.script().lookups.meters.push_back(answer);
        self
    }

    /// What it answers to the next look-up of a smartcard that has no instruction yet.
    pub fn on_smartcard(&self, answer: Result<Smartcard, LookupFailure>) -> &Self {
        self.script().lookups.smartcards.push_back(answer);
        self
    }

    /// What it answers to the next look-up of a bank account that has no instruction yet.
    pub fn on_bank_account(&self, answer: Result<BankAccount, LookupFailure>) -> &Self {
        self.script().lookups.accounts.push_back(answer);
        self
    }

    /// What it answers to the next question for a quote that has no instruction yet.
    pub fn on_quote(&self, answer: Result<ProviderQuote, LookupFailure>) -> &Self {
        self.script().lookups.exchange_quotes.push_back(answer);
        self
    }

    /// What it answers to the next look-up of a card that has no instruction yet.
    pub fn on_card(&self, answer: Result<PaymentCard, LookupFailure>) -> &Self {
        self.script().lookups.cards.push_back(answer);
        self
    }

    /// What it answers to the next look-up of a mobile wallet that has no instruction yet.
    pub fn on_mobile_wallet(&self, answer: Result<MobileWallet, LookupFailure>) -> &Self {
        self.script().lookups.wallets.push_back(answer);
        self
    }

    /// What it answers to the next look-up of a biller's customer that has no instruction yet.
    pub fn on_bill_account(&self, answer: Result<BillAccount, LookupFailure>) -> &Self {
        self.script().lookups.bills.push_back(answer);
        self
    }
}

#[async_trait]
impl Meters for ScriptedProvider {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        let scripted = self.script().lookups.meters.pop_front();
        scripted.unwrap_or_else(|| {
            Ok(Meter {
                disco: disco.clone(),
                billing,
                ..meter(number.digits())
            })
        })
    }
}

#[async_trait]
impl Smartcards for ScriptedProvider {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        let scripted = self.script().lookups.smartcards.pop_front();
        scripted.unwrap_or_else(|| {
            Ok(Smartcard {
                provider: provider.clone(),
                ..smartcard(number.digits())
            })
        })
    }
}

#[async_trait]
impl BankAccounts for ScriptedProvider {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        let scripted = self.script().lookups.accounts.pop_front();
        scripted.unwrap_or_else(|| Ok(bank_account(bank.as_str(), number.digits())))
    }
}

#[async_trait]
impl ExchangeQuotes for ScriptedProvider {
    async fn exchange_quote(&self, asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure> {
        let scripted = self.script().lookups.exchange_quotes.pop_front();
        scripted.unwrap_or_else(|| {
            let provider = self.id.clone();
            let quote = provider_quote_of(asked).ok_or(LookupFailure::Unknown)?;
            Ok(ProviderQuote { provider, ..quote })
        })
    }
}

#[async_trait]
impl PaymentCards for ScriptedProvider {
    async fn card(&self, token: &CardToken) -> Result<PaymentCard, LookupFailure> {
        let scripted = self.script().lookups.cards.pop_front();
        scripted.unwrap_or_else(|| Ok(payment_card(token.as_str())))
    }
}

#[async_trait]
impl MobileWallets for ScriptedProvider {
    async fn wallet(
        &self,
        operator: &BillerCode,
        number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure> {
        let scripted = self.script().lookups.wallets.pop_front();
        scripted.unwrap_or_else(|| Ok(mobile_wallet(operator.as_str(), number.digits())))
    }
}

#[async_trait]
impl BillAccounts for ScriptedProvider {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        let scripted = self.script().lookups.bills.pop_front();
        scripted.unwrap_or_else(|| Ok(bill_account(query)))
    }
}

#[async_trait]
impl NumberOperators for ScriptedProvider {
    async fn served_number(
        &self,
        _number: &PhoneNumber,
        _country: CountryCode,
    ) -> Result<ServedNumber, LookupFailure> {
        let scripted = {
            let lookups = &mut self.script().lookups;
            lookups.numbers_asked += 1;
            lookups.operators.pop_front()
        };
        let Some((answer, after)) = scripted else {
            return Err(LookupFailure::Unknown);
        };
        self.clock.sleep(after).await;
        answer
    }
}
