//! Lookups of meters, cards and accounts at the provider that would deliver: the first on the
//! routes of the product and biller that brings such a lookup. It must not try a second one: what
//! the first says of a customer is what the payment will go by.

use std::sync::Arc;

use application::routes::{RouteDraw, RouteQuery, RouteTable};
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankAccount, BankIdentifier};
use domain::bill::{BillAccount, BillQuery};
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::order::Service;
use domain::provider::ProviderId;
use domain::subscription::BillerCode;
use ports::adapter::AccountLookups;
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::provider::{LookupFailure, Meters, Smartcards};

/// The lookups of every account, and the routes they are chosen by.
#[derive(Debug)]
pub(super) struct RoutedLookups {
    accounts: Vec<(ProviderId, AccountLookups)>,
    table: Arc<RouteTable>,
}

impl RoutedLookups {
    pub(super) const fn new(
        accounts: Vec<(ProviderId, AccountLookups)>,
        table: Arc<RouteTable>,
    ) -> Self {
        Self { accounts, table }
    }

    /// The lookup of the first account on the routes that brings one; where none does, the biller
    /// cannot be reached.
    fn first<T>(
        &self,
        query: &RouteQuery<'_>,
        lookup: impl Fn(&AccountLookups) -> Option<T>,
    ) -> Result<T, LookupFailure> {
        let candidates = self.table.candidates(query, RouteDraw::FIRST);
        let found = candidates.iter().find_map(|candidate| {
            let mut accounts = self.accounts.iter();
            let (_, lookups) = accounts.find(|(id, _)| *id == candidate.provider)?;
            lookup(lookups)
        });
        found.ok_or(LookupFailure::Unreachable)
    }
}

#[async_trait]
impl Meters for RoutedLookups {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        let query = RouteQuery {
            biller: Some(disco.as_str()),
            billing: Some(billing),
            ..RouteQuery::of(Service::Electricity)
        };
        let meters = self.first(&query, |it| it.meters.clone())?;
        meters.meter(disco, number, billing).await
    }
}

#[async_trait]
impl Smartcards for RoutedLookups {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        let query = RouteQuery {
            biller: Some(provider.as_str()),
            ..RouteQuery::of(Service::CableTv)
        };
        let smartcards = self.first(&query, |it| it.smartcards.clone())?;
        smartcards.smartcard(provider, number).await
    }
}

#[async_trait]
impl BillAccounts for RoutedLookups {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        let asked = RouteQuery {
            biller: Some(query.biller.as_str()),
            ..RouteQuery::of(Service::Bill(query.category))
        };
        let accounts = self.first(&asked, |it| it.bill_accounts.clone())?;
        accounts.bill_account(query).await
    }
}

#[async_trait]
impl BankAccounts for RoutedLookups {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        let query = RouteQuery {
            biller: Some(bank.as_str()),
            ..RouteQuery::of(Service::Bank)
        };
        let accounts = self.first(&query, |it| it.bank_accounts.clone())?;
        accounts.account(bank, number).await
    }
}
