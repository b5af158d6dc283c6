//! What billers and banks answer about their customers. A lookup must not change anything, and must
//! not need the book.

use crate::bank;
use crate::bill;
use crate::cabletv;
use crate::meters;
use crate::script::LookupScript;
use crate::simulator::Simulator;
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankAccount, BankIdentifier};
use domain::bill::{BillAccount, BillQuery};
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::subscription::BillerCode;
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::catalogue::Catalogue as _;
use ports::provider::{LookupFailure, Meters, Smartcards};

impl Simulator {
    /// Reaches the biller, unless the number forces that it is not reached.
    async fn reach(&self, what: &str, digits: &str) -> Result<(), LookupFailure> {
        match LookupScript::forced(digits) {
            Some(LookupScript::Down) => return Err(LookupFailure::Unreachable),
            Some(LookupScript::Unknown) => return Err(LookupFailure::Unknown),
            None => {}
        }
        self.clock.sleep(self.latency(what, digits)).await;
        Ok(())
    }
}

#[async_trait]
impl Meters for Simulator {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        self.reach("meter", number.digits()).await?;
        let record = self.catalogue.record(disco).ok_or(LookupFailure::Unknown)?;
        let mut meter = meters::meter(self.settings.seed, record, (number, billing));
        meters::last_purchase(self.settings.seed, &mut meter, self.clock.now());
        Ok(meter)
    }
}

#[async_trait]
impl Smartcards for Simulator {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        self.reach("card", number.digits()).await?;
        let record = self.catalogue.cable_record(provider);
        let record = record.ok_or(LookupFailure::Unknown)?;
        let asked = (number, self.clock.now());
        Ok(cabletv::smartcard(self.settings.seed, record, asked))
    }
}

#[async_trait]
impl BankAccounts for Simulator {
    async fn account(
        &self,
        bank: &BankIdentifier,
        number: &AccountNumber,
    ) -> Result<BankAccount, LookupFailure> {
        self.reach("account", number.digits()).await?;
        Ok(bank::account(self.settings.seed, bank, number))
    }
}

#[async_trait]
impl BillAccounts for Simulator {
    async fn bill_account(&self, query: &BillQuery) -> Result<BillAccount, LookupFailure> {
        self.reach("bill", query.number.digits()).await?;
        let biller = self.catalogue.biller(query.category, &query.biller);
        let biller = biller.ok_or(LookupFailure::Unknown)?;
        let asked = (query, self.clock.now());
        Ok(bill::account(self.settings.seed, biller, asked))
    }
}
