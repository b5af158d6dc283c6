//! What is served: a provider, what it promises, and the lookups it answers. A promise must be one
//! that the provider keeps; nothing here makes it true.

use crate::catalogue::ServedCatalogue;
use domain::order::Service;
use domain::provider::Refusal;
use domain::time::Timestamp;
use ports::banks::BankAccounts;
use ports::bills::BillAccounts;
use ports::cards::PaymentCards;
use ports::exchange::ExchangeQuotes;
use ports::mobile_money::MobileWallets;
use ports::number_operators::NumberOperators;
use ports::provider::{Meters, Provider, Seals, Smartcards};
use provider_protocol::{
    Capabilities, Feature, ListedCode, ProviderIdentity, ReferenceForm, ServiceProfile, VERSION,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A provider and its promises.
#[derive(Debug, Clone)]
pub struct ServedProvider {
    /// The provider.
    pub provider: Arc<dyn Provider>,
    /// Its seals, where it can seal.
    pub seals: Option<Arc<dyn Seals>>,
    /// Its lookups.
    pub lookups: ServedLookups,
    /// Its name, for people.
    pub name: String,
    /// The services it delivers.
    pub services: Vec<Service>,
    /// What it promises of each.
    pub profile: ServiceProfile,
    /// Every refusal it may answer with.
    pub refusals: Vec<Refusal>,
    /// Whether its balance and its statement are offered.
    pub float: ServedFloat,
    /// Its list of what it sells; what is `None` is not offered.
    pub catalogue: Option<Arc<dyn ServedCatalogue>>,
}

/// Whether a provider's balance and statement are offered to the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServedFloat {
    /// They are.
    Offered,
    /// They are not: it keeps no account of the gateway's money.
    #[default]
    NotOffered,
}

/// The lookups that are answered; what is `None` is not offered.
#[derive(Debug, Clone, Default)]
pub struct ServedLookups {
    /// Meters at their distribution company.
    pub meters: Option<Arc<dyn Meters>>,
    /// Smartcards at their provider.
    pub smartcards: Option<Arc<dyn Smartcards>>,
    /// Accounts at their bank.
    pub bank_accounts: Option<Arc<dyn BankAccounts>>,
    /// Cards, by their tokens.
    pub cards: Option<Arc<dyn PaymentCards>>,
    /// Quotes of transfers abroad.
    pub exchange_quotes: Option<Arc<dyn ExchangeQuotes>>,
    /// Mobile money wallets at their operator.
    pub mobile_wallets: Option<Arc<dyn MobileWallets>>,
    /// Customers at their biller.
    pub bill_accounts: Option<Arc<dyn BillAccounts>>,
    /// Who serves a number today.
    pub number_operators: Option<Arc<dyn NumberOperators>>,
}

impl ServedProvider {
    /// The capabilities as of a moment.
    pub(crate) fn capabilities(&self, now: Timestamp) -> Capabilities {
        let services = self.services.iter();
        Capabilities {
            provider: ProviderIdentity {
                name: self.name.clone(),
            },
            versions: vec![VERSION.to_owned()],
            services: services
                .map(|service| (service.code().to_owned(), self.profile))
                .collect(),
            features: self.features(),
            refusal_codes: self
                .refusals
                .iter()
                .cloned()
                .map(ListedCode::from)
                .collect(),
            reference: ReferenceForm::default(),
            now: now.into(),
        }
    }

    fn features(&self) -> BTreeSet<String> {
        let offered = |feature: &Feature| match feature {
            Feature::Seal => self.seals.is_some(),
            Feature::Changes => true,
            Feature::MeterLookup => self.lookups.meters.is_some(),
            Feature::SmartcardLookup => self.lookups.smartcards.is_some(),
            Feature::AccountLookup => self.lookups.bank_accounts.is_some(),
            Feature::CardLookup => self.lookups.cards.is_some(),
            Feature::QuoteLookup => self.lookups.exchange_quotes.is_some(),
            Feature::WalletLookup => self.lookups.mobile_wallets.is_some(),
            Feature::CustomerLookup => self.lookups.bill_accounts.is_some(),
            Feature::OperatorLookup => self.lookups.number_operators.is_some(),
            Feature::Balances | Feature::Statement => self.float == ServedFloat::Offered,
            Feature::Catalogue => self.catalogue.is_some(),
        };
        let features = Feature::ALL.into_iter().filter(offered);
        features.map(|feature| feature.code().to_owned()).collect()
    }
}
