//! A catalogue and a directory of banks that hold what a test puts into them, for Nigeria. They
//! must never decide what things cost: the test says so.

use domain::account::AccountId;
use domain::airtime::Network;
use domain::bank::{Bank, BankIdentifier};
use domain::bill::{BillCategory, Biller};
use domain::cabletv::CableBiller;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::international::Corridor;
use domain::internet::{DataOperator, DataPlan};
use domain::mobile_money::MobileMoneyOperator;
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::paid_lookup::{LookupCategory, LookupCode, LookupDefinition};
use domain::pricing::UnitTerms;
use domain::provider::ProviderId;
use domain::subscription::{BillerCode, PlanCode};
use ports::banks::BankDirectory;
use ports::catalogue::{AccountTerms, Catalogue, CatalogueOffer, OfferMatch, ProductTerms};

/// One network and a few of everything else.
#[derive(Debug)]
pub struct TestCatalogue {
    /// The network that is sold.
    pub network: Network,
    /// Other networks that are sold.
    pub other_networks: Vec<Network>,
    /// The electricity companies that are listed.
    pub discos: Vec<Disco>,
    /// The cable TV providers that are listed.
    pub cable_providers: Vec<CableBiller>,
    /// The providers of internet data that are listed.
    pub data_providers: Vec<DataOperator>,
    /// The billers that are listed.
    pub billers: Vec<Biller>,
    /// What a part of a message costs, one entry for each currency it can be paid in.
    pub messages: Vec<UnitTerms>,
    /// What a WhatsApp message costs, one entry for each currency it can be paid in.
    pub whatsapp: Vec<UnitTerms>,
    /// What an RCS message costs, one entry for each currency it can be paid in.
    pub rcs: Vec<UnitTerms>,
    /// What a minute of a voice call costs, one entry for each currency it can be paid in.
    pub voice: Vec<UnitTerms>,
    /// What a minute of a call that runs a flow costs, one entry for each currency.
    pub ivr: Vec<UnitTerms>,
    /// The smallest and largest payout, one entry for each currency paid out.
    pub payouts: Vec<(Money, Money)>,
    /// The smallest and largest transfer to a card, one entry for each currency.
    pub card_transfers: Vec<(Money, Money)>,
    /// Where transfers abroad go.
    pub corridors: Vec<Corridor>,
    /// The mobile money operators that are listed.
    pub mobile_money: Vec<MobileMoneyOperator>,
    /// What a lookup costs, one entry for each currency it can be paid in.
    pub number_lookups: Vec<UnitTerms>,
    /// The lookups that are listed, each with its price.
    pub lookups: Vec<(LookupDefinition, UnitTerms)>,
    /// What a published version says.
    pub published: TestVersion,
}

/// What a published version says, beside the records it changes.
#[derive(Debug, Default)]
pub struct TestVersion {
    /// Its number; 0 where there is none.
    pub number: u32,
    /// Products that are not sold.
    pub withheld: Vec<String>,
    /// Plans that were withdrawn, and whose they were.
    pub withdrawn: Vec<(Service, PlanCode, BillerCode)>,
    /// What is changed of the terms of products.
    pub terms: Vec<(String, ProductTerms)>,
    /// What accounts pay for products.
    pub overrides: Vec<(AccountId, String, AccountTerms)>,
    /// Offers; a provider that has any offers only these.
    pub offers: Vec<CatalogueOffer>,
}

impl TestCatalogue {
    /// A network and companies; what else is sold is put beside them.
    pub const fn of(network: Network, discos: Vec<Disco>) -> Self {
        Self {
            network,
            other_networks: Vec::new(),
            discos,
            cable_providers: Vec::new(),
            data_providers: Vec::new(),
            billers: Vec::new(),
            messages: Vec::new(),
            whatsapp: Vec::new(),
            rcs: Vec::new(),
            voice: Vec::new(),
            ivr: Vec::new(),
            payouts: Vec::new(),
            card_transfers: Vec::new(),
            corridors: Vec::new(),
            mobile_money: Vec::new(),
            number_lookups: Vec::new(),
            lookups: Vec::new(),
            published: TestVersion {
                number: 0,
                withheld: Vec::new(),
                withdrawn: Vec::new(),
                terms: Vec::new(),
                overrides: Vec::new(),
                offers: Vec::new(),
            },
        }
    }
}

/// What one costs in a country and a currency.
fn unit_of(prices: &[UnitTerms], country: CountryCode, currency: Currency) -> Option<UnitTerms> {
    let sold = |it: &&UnitTerms| is_served(country) && it.unit.currency() == currency;
    prices.iter().find(sold).copied()
}

fn is_served(country: CountryCode) -> bool {
    country == CountryCode::NIGERIA
}

impl Catalogue for TestCatalogue {
    fn version(&self) -> u32 {
        self.published.number
    }

    fn published_terms(&self, product: &str) -> Option<ProductTerms> {
        let mut terms = self.published.terms.iter();
        let found = terms.find(|(of, _)| of == product);
        found.map(|(_, terms)| *terms)
    }

    fn published_override(&self, account: &AccountId, product: &str) -> Option<AccountTerms> {
        let mut overrides = self.published.overrides.iter();
        let found = overrides.find(|(whose, of, _)| whose == account && of == product);
        found.map(|(_, _, terms)| *terms)
    }

    fn withholds(&self, product: &str) -> bool {
        self.published.withheld.iter().any(|it| it == product)
    }

    fn withdrawn_plan(&self, service: Service, plan: &PlanCode) -> Option<&BillerCode> {
        let mut withdrawn = self.published.withdrawn.iter();
        let found = withdrawn.find(|(of, code, _)| *of == service && code == plan);
        found.map(|(_, _, biller)| biller)
    }

    fn offer(&self, provider: &ProviderId, order: &Order) -> OfferMatch<'_> {
        let mut offers = self.published.offers.iter();
        if !offers.any(|it| it.provider == *provider) {
            return OfferMatch::Unlisted;
        }
        let product = format!(
            "{}.{}",
            order.service().code(),
            order.biller().unwrap_or_default()
        );
        let mut offers = self.published.offers.iter();
        let found = offers.find(|it| it.provider == *provider && it.product == product);
        found.map_or(OfferMatch::NotOffered, OfferMatch::Offered)
    }

    fn networks(&self) -> Vec<&Network> {
        std::iter::once(&self.network)
            .chain(&self.other_networks)
            .collect()
    }

    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network> {
        let mut networks = self.networks().into_iter();
        let sold = self.sells_airtime_in(country);
        networks.find(|it| sold && it.brandname.eq_ignore_ascii_case(brandname))
    }

    fn sells_airtime_in(&self, country: CountryCode) -> bool {
        is_served(country)
    }

    fn discos(&self, country: CountryCode) -> Vec<&Disco> {
        let here = |disco: &&Disco| disco.country == country;
        self.discos.iter().filter(here).collect()
    }

    fn disco(&self, code: &DiscoCode) -> Option<&Disco> {
        self.discos.iter().find(|disco| disco.code == *code)
    }

    fn cable_providers(&self, country: CountryCode) -> Vec<&CableBiller> {
        let here = |provider: &&CableBiller| provider.country == country;
        self.cable_providers.iter().filter(here).collect()
    }

    fn cable_provider(&self, code: &BillerCode) -> Option<&CableBiller> {
        let mut providers = self.cable_providers.iter();
        providers.find(|provider| provider.code == *code)
    }

    fn data_providers(&self, country: CountryCode) -> Vec<&DataOperator> {
        let here = |provider: &&DataOperator| provider.country == country;
        self.data_providers.iter().filter(here).collect()
    }

    fn data_provider(&self, code: &BillerCode) -> Option<&DataOperator> {
        let mut providers = self.data_providers.iter();
        providers.find(|provider| provider.code == *code)
    }

    fn data_plan(&self, code: &PlanCode) -> Option<(&DataOperator, &DataPlan)> {
        self.data_providers.iter().find_map(|provider| {
            let plan = provider.plans.iter().find(|plan| plan.code == *code)?;
            Some((provider, plan))
        })
    }

    fn billers(&self, category: BillCategory, country: CountryCode) -> Vec<&Biller> {
        let listed = |biller: &&Biller| biller.category == category && biller.country == country;
        self.billers.iter().filter(listed).collect()
    }

    fn biller(&self, category: BillCategory, code: &BillerCode) -> Option<&Biller> {
        let named = |biller: &&Biller| biller.category == category && biller.code == *code;
        self.billers.iter().find(named)
    }

    fn message(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        unit_of(&self.messages, country, currency)
    }

    fn whatsapp(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        unit_of(&self.whatsapp, country, currency)
    }

    fn rcs(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        unit_of(&self.rcs, country, currency)
    }

    fn voice(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        unit_of(&self.voice, country, currency)
    }

    fn ivr(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        unit_of(&self.ivr, country, currency)
    }

    fn payouts(&self, country: CountryCode, currency: Currency) -> Option<(Money, Money)> {
        let paid =
            |(smallest, _): &&(Money, Money)| is_served(country) && smallest.currency() == currency;
        self.payouts.iter().find(paid).copied()
    }

    fn mobile_money_operators(&self, country: CountryCode) -> Vec<&MobileMoneyOperator> {
        let operators = self.mobile_money.iter();
        operators.filter(|_| is_served(country)).collect()
    }

    fn mobile_money_operator(&self, code: &BillerCode) -> Option<&MobileMoneyOperator> {
        self.mobile_money.iter().find(|it| it.code == *code)
    }

    fn corridors(&self) -> &[Corridor] {
        &self.corridors
    }

    fn card_transfers(&self, currency: Currency) -> Option<(Money, Money)> {
        let mut limits = self.card_transfers.iter();
        limits
            .find(|(least, _)| least.currency() == currency)
            .copied()
    }

    fn lookups(&self, category: LookupCategory) -> Vec<&LookupDefinition> {
        let all = self.lookups.iter().map(|(definition, _)| definition);
        all.filter(|it| it.category == category).collect()
    }

    fn lookup(&self, category: LookupCategory, code: &LookupCode) -> Option<&LookupDefinition> {
        let listed = self.lookups(category).into_iter();
        listed.into_iter().find(|it| it.code == *code)
    }

    fn lookup_price(
        &self,
        category: LookupCategory,
        code: &LookupCode,
        currency: Currency,
    ) -> Option<UnitTerms> {
        let mut all = self.lookups.iter();
        let is_it = |it: &LookupDefinition| it.category == category && it.code == *code;
        let price =
            all.find(|(definition, price)| is_it(definition) && price.unit.currency() == currency);
        price.map(|(_, price)| *price)
    }

    fn number_lookup(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        unit_of(&self.number_lookups, country, currency)
    }
}

/// The banks a test puts into it, in that order.
#[derive(Debug, Default)]
pub struct TestBanks(pub Vec<Bank>);

impl BankDirectory for TestBanks {
    fn banks(&self, country: CountryCode) -> Vec<&Bank> {
        let here = |bank: &&Bank| bank.country == country;
        self.0.iter().filter(here).collect()
    }

    fn bank(&self, id: &BankIdentifier) -> Option<&Bank> {
        self.0.iter().find(|bank| bank.identifier == *id)
    }
}
