//! The simulated ports behind the gateway: the request decides the answer. It must stay small: the
//! failures of real providers are tested with the providers.

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
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use domain::subscription::BillerCode;
use ports::callbacks::{
    CallbackContent, CallbackHint, CallbackRefused, Callbacks, ProviderCallback,
};
use ports::numbering::{LineKind, NumberFacts, NumberingPlan};
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, LookupFailure, ProviderAnswer};
use testkit::builders;

/// 234803… belongs to MTN, 2342… are fixed lines and 234800… toll-free; other numbers of 234 are
/// mobile and belong to no operator that is sold here.
#[derive(Debug)]
pub(super) struct StubNumberingPlan;

impl NumberingPlan for StubNumberingPlan {
    fn look_up(&self, number: &PhoneNumber, _: CountryCode) -> Option<NumberFacts> {
        let digits = number.digits();
        let in_plan = digits.starts_with("234") && digits.len() == 13;
        let kind = if digits.starts_with("2342") {
            LineKind::FixedLine
        } else if digits.starts_with("234800") {
            LineKind::Other
        } else {
            LineKind::Mobile
        };
        let mtn = digits.starts_with("234803");
        in_plan.then(|| NumberFacts {
            kind,
            block_holder: mtn.then(|| "MTN".to_owned()),
        })
    }
}

/// Simulated lookups of meters, cards and accounts. By the last four digits: 0014 is unknown, 0012
/// unreachable, 0006 gets an unusable answer.
#[derive(Debug)]
pub(super) struct StubLookups;

impl StubLookups {
    fn answer(digits: &str) -> Result<(), LookupFailure> {
        match digits {
            digits if digits.ends_with("0014") => Err(LookupFailure::Unknown),
            digits if digits.ends_with("0012") => Err(LookupFailure::Unreachable),
            digits if digits.ends_with("0006") => Err(LookupFailure::Unusable),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl ports::provider::Meters for StubLookups {
    async fn meter(
        &self,
        _: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        Self::answer(number.digits()).map(|()| Meter {
            billing,
            ..builders::meter(number.digits())
        })
    }
}

#[async_trait]
impl ports::provider::Smartcards for StubLookups {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        Self::answer(number.digits()).map(|()| Smartcard {
            provider: provider.clone(),
            ..builders::smartcard(number.digits())
        })
    }
}

#[async_trait]
impl ports::cards::PaymentCards for StubLookups {
    async fn card(&self, token: &CardToken) -> Result<PaymentCard, LookupFailure> {
        let token = token.as_str();
        Self::answer(token).map(|()| builders::payment_card(token))
    }
}

#[async_trait]
impl ports::exchange::ExchangeQuotes for StubLookups {
    async fn exchange_quote(&self, asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure> {
        let quote = builders::provider_quote_of(asked).ok_or(LookupFailure::Unknown)?;
        Ok(ProviderQuote {
            provider: builders::provider_id("stubs"),
            ..quote
        })
    }
}

#[async_trait]
impl ports::mobile_money::MobileWallets for StubLookups {
    async fn wallet(
        &self,
        operator: &BillerCode,
        number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure> {
        let (operator, number) = (operator.as_str(), number.digits());
        Self::answer(number).map(|()| builders::mobile_wallet(operator, number))
    }
}

#[async_trait]
impl ports::banks::BankAccounts for StubLookups {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        let (bank, number) = (bank.as_str(), number.digits());
        Self::answer(number).map(|()| builders::bank_account(bank, number))
    }
}

#[async_trait]
impl ports::bills::BillAccounts for StubLookups {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        Self::answer(query.number.digits()).map(|()| builders::bill_account(query))
    }
}

/// Delivers at once, except by the last four digits of the number: 0001 is refused and 0010 never
/// finishes.
#[derive(Debug)]
pub(super) struct StubProvider(ProviderId);

impl StubProvider {
    pub(super) fn new() -> Self {
        Self(builders::provider_id("stubs"))
    }
}

#[async_trait]
impl ports::provider::Provider for StubProvider {
    fn id(&self) -> &ProviderId {
        &self.0
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let granted = permit.ask().await;
        if granted.and_then(Granted::begin_writing).is_err() {
            return SubmitOutcome::NotSent.into();
        }
        let outcome = match submission.order.digits() {
            digits if digits.ends_with("0001") => SubmitOutcome::Declined(builders::refusal()),
            digits if digits.ends_with("0010") => SubmitOutcome::Pending,
            _ => {
                let reference = &submission.reference;
                SubmitOutcome::Delivered(builders::receipt_of(reference, &submission.order))
            }
        };
        outcome.into()
    }

    fn callbacks(&self) -> Option<&dyn Callbacks> {
        Some(self)
    }

    async fn query(&self, _: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        QueryOutcome::Pending.into()
    }
}

/// Callbacks are signed by a header of one word, and hold one reference.
impl Callbacks for StubProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
        match (callback.header("x-signature"), callback.body) {
            (Some(b"right"), b"") => Err(CallbackRefused::Unreadable),
            (Some(b"right"), body) => Ok(CallbackContent::about([CallbackHint {
                reference: ProviderReference::from_echo(String::from_utf8_lossy(body)),
            }])),
            (Some(_) | None, _) => Err(CallbackRefused::NotAuthentic),
        }
    }
}
