//! What the sandbox sells: the networks, companies, providers and plans of Nigeria, read from the
//! tables in `data`. It must not set an account's own terms: those are the application's.

use crate::airtime::table as airtime;
use crate::bank::table as bank;
use crate::bill::billers;
use crate::cabletv::table as cabletv;
use crate::cabletv::table::CatalogueCableRecord;
use crate::card::table as card;
use crate::electricity::table as electricity;
use crate::electricity::table::DiscoRecord;
use crate::hlr::table as hlr;
use crate::hlr::table::{HlrLookups, MobileNetwork};
use crate::international::table as international;
use crate::international::table::Corridors;
use crate::internet::table as internet;
use crate::messaging::table as messages;
use crate::mobile_money::table as mobile_money;
use crate::paid_lookup::table as paid_lookup;
use crate::paid_lookup::table::LookupRecord;
use crate::sms::table as sms;
use crate::table_row::{self, COUNTRY, UnitPrice};
use crate::{ivr, rcs, voice, whatsapp};
use domain::airtime::Network;
use domain::bill::{BillCategory, Biller};
use domain::cabletv::CableBiller;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::international::Corridor;
use domain::internet::{DataOperator, DataPlan};
use domain::labelled_value::LabelledValue;
use domain::mobile_money::MobileMoneyOperator;
use domain::money::{Currency, Money};
use domain::order::Service;
use domain::paid_lookup::{LookupCategory, LookupCode, LookupDefinition};
use domain::pricing::UnitTerms;
use domain::subscription::{BillerCode, PlanCode};
use ports::catalogue::Catalogue;

/// The catalogue of the sandbox.
#[derive(Debug, Clone)]
pub struct SandboxCatalogue {
    pub(crate) networks: Vec<Network>,
    pub(crate) discos: Vec<DiscoRecord>,
    pub(crate) cable: Vec<CatalogueCableRecord>,
    pub(crate) data: Vec<DataOperator>,
    pub(crate) billers: Vec<Biller>,
    message_parts: Vec<UnitPrice>,
    whatsapp: Vec<UnitPrice>,
    rcs: Vec<UnitPrice>,
    voice: Vec<UnitPrice>,
    ivr: Vec<UnitPrice>,
    payouts: Vec<bank::Payouts>,
    pub(crate) mobile_money: Vec<MobileMoneyOperator>,
    card_transfers: Vec<(Money, Money)>,
    pub(crate) corridors: Corridors,
    lookups: HlrLookups,
    pub(crate) paid_lookups: Vec<LookupRecord>,
}

impl SandboxCatalogue {
    /// The catalogue that is part of the program.
    pub fn new() -> Self {
        embedded()
    }

    /// The same with further billers in its categories.
    #[must_use]
    pub fn with_billers(mut self, billers: impl IntoIterator<Item = Biller>) -> Self {
        self.billers.extend(billers);
        self
    }

    /// The same with further lookups, each with what it costs; one of a code that there is takes
    /// the place of that one.
    #[must_use]
    pub fn with_lookups(
        mut self,
        lookups: impl IntoIterator<Item = (LookupDefinition, UnitTerms)>,
    ) -> Self {
        let records = lookups.into_iter().map(|(definition, price)| LookupRecord {
            answers: vec![LabelledValue {
                name: "result".to_owned(),
                label: "Result".to_owned(),
                value: "found".to_owned(),
            }],
            definition,
            prices: vec![price],
        });
        for mut record in records {
            let is_it = |it: &LookupRecord| {
                it.definition.category == record.definition.category
                    && it.definition.code == record.definition.code
            };
            match self.paid_lookups.iter_mut().find(|it| is_it(it)) {
                Some(known) => {
                    record.answers.clone_from(&known.answers);
                    *known = record;
                }
                None => self.paid_lookups.push(record),
            }
        }
        self
    }

    /// The codes of all that is paid in a product: networks, companies, operators, billers; `None`
    /// where the catalogue lists none, as for messages.
    pub fn biller_codes(&self, product: Service) -> Option<Vec<&str>> {
        match product {
            Service::Airtime => Some(self.networks.iter().map(|it| &*it.code).collect()),
            Service::CableTv => {
                let records = self.cable.iter();
                Some(records.map(|it| it.provider.code.as_str()).collect())
            }
            Service::Electricity => {
                let records = self.discos.iter();
                Some(records.map(|it| it.disco.code.as_str()).collect())
            }
            Service::Internet => Some(self.data.iter().map(|it| it.code.as_str()).collect()),
            Service::Bill(category) => {
                let billers = self.billers.iter().filter(|it| it.category == category);
                Some(billers.map(|it| it.code.as_str()).collect())
            }
            Service::Lookup(category) => {
                let lookups = self.lookups(category).into_iter();
                Some(lookups.map(|it| it.code.as_str()).collect())
            }
            Service::MobileMoney => {
                let operators = self.mobile_money.iter();
                Some(operators.map(|it| it.code.as_str()).collect())
            }
            Service::Sms
            | Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Bank
            | Service::Card
            | Service::International
            | Service::Wallet
            | Service::User
            | Service::Hlr => None,
        }
    }

    /// A company with what only its own system knows.
    pub(crate) fn record(&self, code: &DiscoCode) -> Option<&DiscoRecord> {
        self.discos.iter().find(|record| record.disco.code == *code)
    }

    /// A cable TV provider with what only its own system knows.
    pub(crate) fn cable_record(&self, code: &BillerCode) -> Option<&CatalogueCableRecord> {
        let mut records = self.cable.iter();
        records.find(|record| record.provider.code == *code)
    }

    /// A lookup with what only the sandbox knows.
    pub(crate) fn lookup_record(
        &self,
        category: LookupCategory,
        code: &LookupCode,
    ) -> Option<&LookupRecord> {
        let mut records = self.paid_lookups.iter();
        records.find(|it| it.definition.category == category && it.definition.code == *code)
    }

    /// Whether messages are sent to numbers of a country, whatever they are paid with.
    pub(crate) fn sends_messages_to(&self, country: CountryCode) -> bool {
        table_row::is_priced(&self.message_parts, country)
    }

    /// Whether WhatsApp messages are sent to numbers of a country, whatever they are paid with.
    pub(crate) fn sends_whatsapp_to(&self, country: CountryCode) -> bool {
        table_row::is_priced(&self.whatsapp, country)
    }

    /// Whether RCS messages are sent to numbers of a country, whatever they are paid with.
    pub(crate) fn sends_rcs_to(&self, country: CountryCode) -> bool {
        table_row::is_priced(&self.rcs, country)
    }

    /// Whether numbers of a country are called, whatever is paid with.
    pub(crate) fn calls(&self, country: CountryCode) -> bool {
        table_row::is_priced(&self.voice, country)
    }

    /// Whether numbers of a country are called to run a flow, whatever is paid with.
    pub(crate) fn runs_flows(&self, country: CountryCode) -> bool {
        table_row::is_priced(&self.ivr, country)
    }

    /// Whether the registers of a country are asked.
    pub(crate) fn looks_up_in(&self, country: CountryCode) -> bool {
        table_row::is_priced(&self.lookups.prices, country)
    }

    /// The networks registers name.
    pub(crate) fn mobile_networks(&self) -> &[MobileNetwork] {
        &self.lookups.networks
    }
}

impl Default for SandboxCatalogue {
    fn default() -> Self {
        Self::new()
    }
}

impl Catalogue for SandboxCatalogue {
    fn networks(&self) -> Vec<&Network> {
        self.networks.iter().collect()
    }

    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network> {
        let mut networks = self.networks.iter().filter(|_| country == COUNTRY);
        networks.find(|network| network.brandname.eq_ignore_ascii_case(brandname))
    }

    fn sells_airtime_in(&self, country: CountryCode) -> bool {
        country == COUNTRY && !self.networks.is_empty()
    }

    fn discos(&self, country: CountryCode) -> Vec<&Disco> {
        let discos = self.discos.iter().map(|record| &record.disco);
        discos.filter(|disco| disco.country == country).collect()
    }

    fn disco(&self, code: &DiscoCode) -> Option<&Disco> {
        self.record(code).map(|record| &record.disco)
    }

    fn cable_providers(&self, country: CountryCode) -> Vec<&CableBiller> {
        let providers = self.cable.iter().map(|record| &record.provider);
        let here = |provider: &&CableBiller| provider.country == country;
        providers.filter(here).collect()
    }

    fn cable_provider(&self, code: &BillerCode) -> Option<&CableBiller> {
        self.cable_record(code).map(|record| &record.provider)
    }

    fn data_providers(&self, country: CountryCode) -> Vec<&DataOperator> {
        let here = |provider: &&DataOperator| provider.country == country;
        self.data.iter().filter(here).collect()
    }

    fn data_provider(&self, code: &BillerCode) -> Option<&DataOperator> {
        self.data.iter().find(|provider| provider.code == *code)
    }

    fn data_plan(&self, code: &PlanCode) -> Option<(&DataOperator, &DataPlan)> {
        self.data.iter().find_map(|provider| {
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
        table_row::unit(&self.message_parts, country, currency)
    }

    fn whatsapp(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        table_row::unit(&self.whatsapp, country, currency)
    }

    fn rcs(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        table_row::unit(&self.rcs, country, currency)
    }

    fn voice(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        table_row::unit(&self.voice, country, currency)
    }

    fn ivr(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        table_row::unit(&self.ivr, country, currency)
    }

    fn payouts(&self, country: CountryCode, currency: Currency) -> Option<(Money, Money)> {
        bank::limits(&self.payouts, country, currency)
    }

    fn mobile_money_operators(&self, country: CountryCode) -> Vec<&MobileMoneyOperator> {
        let here = |operator: &&MobileMoneyOperator| operator.country == country;
        self.mobile_money.iter().filter(here).collect()
    }

    fn mobile_money_operator(&self, code: &BillerCode) -> Option<&MobileMoneyOperator> {
        self.mobile_money.iter().find(|it| it.code == *code)
    }

    fn corridors(&self) -> &[Corridor] {
        &self.corridors.all
    }

    fn card_transfers(&self, currency: Currency) -> Option<(Money, Money)> {
        let mut limits = self.card_transfers.iter();
        limits
            .find(|(least, _)| least.currency() == currency)
            .copied()
    }

    fn lookups(&self, category: LookupCategory) -> Vec<&LookupDefinition> {
        let all = self.paid_lookups.iter().map(|record| &record.definition);
        all.filter(|it| it.category == category).collect()
    }

    fn lookup(&self, category: LookupCategory, code: &LookupCode) -> Option<&LookupDefinition> {
        let record = self.lookup_record(category, code);
        record.map(|record| &record.definition)
    }

    fn lookup_price(
        &self,
        category: LookupCategory,
        code: &LookupCode,
        currency: Currency,
    ) -> Option<UnitTerms> {
        let mut prices = self.lookup_record(category, code)?.prices.iter();
        prices
            .find(|price| price.unit.currency() == currency)
            .copied()
    }

    fn number_lookup(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        table_row::unit(&self.lookups.prices, country, currency)
    }
}

#[expect(
    clippy::expect_used,
    reason = "the tables are compiled in, and tests read them"
)]
fn embedded() -> SandboxCatalogue {
    // Panic safety: the tables cannot change after the tests have read them.
    SandboxCatalogue {
        networks: airtime::read(airtime::TABLE).expect("a readable table of networks"),
        discos: electricity::read(electricity::TABLE).expect("a readable table of companies"),
        cable: cabletv::read(cabletv::TABLE).expect("a readable table of cable TV"),
        data: internet::read(internet::TABLE).expect("a readable table of internet data"),
        billers: billers::all().expect("readable billers"),
        message_parts: sms::read(sms::TABLE).expect("a readable table of messages"),
        whatsapp: messages::read(whatsapp::TABLE).expect("a readable table of WhatsApp messages"),
        rcs: messages::read(rcs::TABLE).expect("a readable table of RCS messages"),
        voice: messages::read(voice::TABLE).expect("a readable table of voice calls"),
        ivr: messages::read(ivr::TABLE).expect("a readable table of calls with a flow"),
        payouts: bank::read(bank::TABLE).expect("a readable table of payouts"),
        card_transfers: card::read(card::TABLE).expect("a readable table of card transfers"),
        corridors: international::read(international::TABLE)
            .expect("a readable table of corridors"),
        mobile_money: mobile_money::read(mobile_money::TABLE)
            .expect("a readable table of operators"),
        paid_lookups: paid_lookup::read(paid_lookup::TABLE).expect("a readable table of lookups"),
        lookups: hlr::read(hlr::TABLE).expect("a readable table of lookups"),
    }
}
