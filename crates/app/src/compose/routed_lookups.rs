//! Lookups of meters, cards and accounts at the provider that would deliver: the first on the
//! routes of the product and biller that brings such a lookup. It must not try a second one: what
//! the first says of a customer is what the payment will go by.

use std::sync::Arc;

use application::availability::{Availability, Offering};
use application::lookups::Lookups;
use application::routes::{RouteDraw, RouteQuery, RouteTable};
use arc_swap::ArcSwap;
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankAccount, BankIdentifier};
use domain::bill::{BillAccount, BillQuery};
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::card::{CardToken, PaymentCard};
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::environment::{ByEnvironment, Environment};
use domain::international::{ProviderQuote, QuoteRequest};
use domain::mobile_money::MobileWallet;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::ProviderId;
use domain::subscription::BillerCode;
use ports::adapter::AccountLookups;
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::cards::PaymentCards;
use ports::clock::Clock as _;
use ports::exchange::ExchangeQuotes;
use ports::mobile_money::MobileWallets;
use ports::provider::{LookupFailure, Meters, Smartcards};

use crate::clock::SystemClock;

/// The lookups of every account, and the routes they are chosen by.
#[derive(Debug)]
pub(super) struct LookupTable {
    pub(super) accounts: Vec<(ProviderId, AccountLookups)>,
    pub(super) table: Arc<RouteTable>,
    pub(super) availability: Arc<Availability>,
}

/// Lookups by the table that is in force.
#[derive(Debug)]
pub(super) struct RoutedLookups(ArcSwap<LookupTable>);

impl RoutedLookups {
    pub(super) fn new(table: LookupTable) -> Self {
        Self(ArcSwap::from_pointee(table))
    }

    /// Replaces the table for lookups that begin from now on.
    pub(super) fn replace(&self, table: LookupTable) {
        self.0.store(Arc::new(table));
    }

    /// Those for the accounts of each environment.
    pub(super) fn by_environment(self: &Arc<Self>) -> ByEnvironment<Lookups> {
        ByEnvironment::from_fn(|environment| {
            let routed = Arc::clone(self);
            Lookups::all(&Arc::new(EnvironmentLookups {
                environment,
                routed,
            }))
        })
    }

    /// The lookup of the first account on the routes that brings one, of those that are given
    /// orders now before the others; where none does, the biller cannot be reached.
    fn first<T>(
        &self,
        query: &RouteQuery<'_>,
        lookup: impl Fn(&AccountLookups) -> Option<T>,
    ) -> Result<T, LookupFailure> {
        let offering = Offering {
            service: query.product,
            biller: query.biller,
            at: SystemClock.now(),
        };
        let lookups = self.0.load();
        let mut candidates = lookups.table.candidates(query, RouteDraw::FIRST);
        candidates.sort_by_key(|it| {
            let availability = &lookups.availability;
            availability.obstacle(&it.provider, offering).is_some()
        });
        let found = candidates.iter().find_map(|candidate| {
            let mut accounts = lookups.accounts.iter();
            let (_, lookups) = accounts.find(|(id, _)| *id == candidate.provider)?;
            lookup(lookups)
        });
        found.ok_or(LookupFailure::Unreachable)
    }
}

/// Lookups for the accounts of one environment.
#[derive(Debug)]
struct EnvironmentLookups {
    environment: Environment,
    routed: Arc<RoutedLookups>,
}

#[async_trait]
impl Meters for EnvironmentLookups {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        let query = RouteQuery {
            biller: Some(disco.as_str()),
            billing: Some(billing),
            ..RouteQuery::of(Service::Electricity, self.environment)
        };
        let meters = self.routed.first(&query, |it| it.meters.clone())?;
        meters.meter(disco, number, billing).await
    }
}

#[async_trait]
impl Smartcards for EnvironmentLookups {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        let query = RouteQuery {
            biller: Some(provider.as_str()),
            ..RouteQuery::of(Service::CableTv, self.environment)
        };
        let smartcards = self.routed.first(&query, |it| it.smartcards.clone())?;
        smartcards.smartcard(provider, number).await
    }
}

#[async_trait]
impl BillAccounts for EnvironmentLookups {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        let asked = RouteQuery {
            biller: Some(query.biller.as_str()),
            ..RouteQuery::of(Service::Bill(query.category), self.environment)
        };
        let accounts = self.routed.first(&asked, |it| it.bill_accounts.clone())?;
        accounts.bill_account(query).await
    }
}

#[async_trait]
impl ExchangeQuotes for EnvironmentLookups {
    async fn exchange_quote(&self, asked: &QuoteRequest) -> Result<ProviderQuote, LookupFailure> {
        let query = RouteQuery {
            country: Some(asked.country),
            amount: asked.amount.source(),
            ..RouteQuery::of(Service::International, self.environment)
        };
        let quotes = self.routed.first(&query, |it| it.exchange_quotes.clone())?;
        quotes.exchange_quote(asked).await
    }
}

#[async_trait]
impl PaymentCards for EnvironmentLookups {
    async fn card(&self, token: &CardToken) -> Result<PaymentCard, LookupFailure> {
        let query = RouteQuery::of(Service::Card, self.environment);
        let cards = self.routed.first(&query, |it| it.cards.clone())?;
        cards.card(token).await
    }
}

#[async_trait]
impl MobileWallets for EnvironmentLookups {
    async fn wallet(
        &self,
        operator: &BillerCode,
        number: &PhoneNumber,
    ) -> Result<MobileWallet, LookupFailure> {
        let query = RouteQuery {
            biller: Some(operator.as_str()),
            ..RouteQuery::of(Service::MobileMoney, self.environment)
        };
        let wallets = self.routed.first(&query, |it| it.mobile_wallets.clone())?;
        wallets.wallet(operator, number).await
    }
}

#[async_trait]
impl BankAccounts for EnvironmentLookups {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        let query = RouteQuery {
            biller: Some(bank.as_str()),
            ..RouteQuery::of(Service::Bank, self.environment)
        };
        let accounts = self.routed.first(&query, |it| it.bank_accounts.clone())?;
        accounts.account(bank, number).await
    }
}

#[cfg(test)]
mod tests {
    use application::routes::{ProviderRoute, RouteConditions};

    use super::*;

    /// A lookup that is recognised by how it fails.
    #[derive(Debug)]
    struct Failing(LookupFailure);

    #[async_trait]
    impl Meters for Failing {
        async fn meter(
            &self,
            _disco: &DiscoCode,
            _number: &MeterNumber,
            _billing: Billing,
        ) -> Result<Meter, LookupFailure> {
            Err(self.0)
        }
    }

    fn id(name: &str) -> ProviderId {
        ProviderId::parse(name).unwrap()
    }

    fn route(name: &str, biller: Option<&str>, priority: u16) -> ProviderRoute {
        ProviderRoute {
            conditions: RouteConditions {
                biller: biller.map(str::to_owned),
                ..RouteConditions::NONE
            },
            priority,
            ..ProviderRoute::of(Service::Electricity, id(name))
        }
    }

    #[tokio::test]
    async fn a_lookup_goes_to_the_first_on_the_routes_of_the_biller_that_brings_it() {
        let meters = |failure| AccountLookups {
            meters: Some(Arc::new(Failing(failure))),
            ..AccountLookups::default()
        };
        let accounts = vec![
            (id("without"), AccountLookups::default()),
            (id("first"), meters(LookupFailure::Unknown)),
            (id("second"), meters(LookupFailure::Unusable)),
        ];
        let table = RouteTable::new(vec![
            route("second", None, 2),
            route("first", Some("101"), 1),
            route("without", None, 0),
        ]);
        let shared = Arc::new(RoutedLookups::new(LookupTable {
            accounts,
            table: Arc::new(table),
            availability: Arc::default(),
        }));
        let lookups = shared.by_environment().test;
        let number = MeterNumber::parse("04512344567").unwrap();
        for (disco, failure) in [
            ("101", LookupFailure::Unknown),
            ("102", LookupFailure::Unusable),
        ] {
            let disco = DiscoCode::parse(disco).unwrap();
            let answer = lookups
                .meters
                .meter(&disco, &number, Billing::Prepaid)
                .await;
            assert_eq!(answer, Err(failure), "{disco}");
        }
        // Another table holds for lookups that begin from now on.
        shared.replace(LookupTable {
            accounts: vec![(id("third"), meters(LookupFailure::Unreachable))],
            table: Arc::new(RouteTable::new(vec![route("third", None, 0)])),
            availability: Arc::default(),
        });
        let disco = DiscoCode::parse("101").unwrap();
        let answer = lookups
            .meters
            .meter(&disco, &number, Billing::Prepaid)
            .await;
        assert_eq!(answer, Err(LookupFailure::Unreachable));
        // Nothing leads to a lookup of cards.
        let card = SmartcardNumber::parse("7021234567").unwrap();
        let biller = BillerCode::parse("202").unwrap();
        let answer = lookups.smartcards.smartcard(&biller, &card);
        assert_eq!(answer.await, Err(LookupFailure::Unreachable));
    }
}
