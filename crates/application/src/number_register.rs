//! Who serves a number today, where an operator configured a register to ask. What it answers is
//! advice: where it does not answer in time, the holder of the number's block counts, and a wrong
//! network is refused by its provider. It must never be asked for what is refused anyway.

use crate::availability::Offering;
use crate::gateway::{Gateway, Merchant};
use crate::request_error::RequestError;
use domain::country::CountryCode;
use domain::environment::ByEnvironment;
use domain::order::Service;
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use domain::provider::ProviderId;
use ports::number_operators::NumberOperators;
use ports::provider::LookupFailure;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most answers that are kept; beyond it the memory starts anew, which costs a question each.
const ANSWERS_MAX: usize = 10_000;

/// The registers of ported numbers, for the accounts of each environment.
pub type NumberRegisters = ByEnvironment<Option<NumberRegister>>;

/// An account at a provider that is asked who serves a number, with its last answers.
#[derive(Debug, Clone)]
pub struct NumberRegister {
    provider: ProviderId,
    register: Arc<dyn NumberOperators>,
    memory: Arc<Mutex<RegisterMemory>>,
}

#[derive(Default)]
struct RegisterMemory {
    answers: HashMap<(PhoneNumber, CountryCode), KeptAnswer>,
    /// Until which uptime it is not asked, after it did not answer.
    away_until: Duration,
}

/// What it knows of a number, `None` where it knows nothing, and until which uptime that counts.
struct KeptAnswer {
    operator: Option<ServingOperator>,
    until: Duration,
}

/// Numbers of customers are not shown.
impl fmt::Debug for RegisterMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegisterMemory").finish_non_exhaustive()
    }
}

impl NumberRegister {
    /// The register that an account brings, of which nothing was asked yet.
    pub fn new(provider: ProviderId, register: Arc<dyn NumberOperators>) -> Self {
        Self {
            provider,
            register,
            memory: Arc::default(),
        }
    }

    fn memory(&self) -> MutexGuard<'_, RegisterMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RegisterMemory {
    /// The answer about a number, where it still counts.
    fn recall(&self, key: &(PhoneNumber, CountryCode), now: Duration) -> Option<&KeptAnswer> {
        self.answers.get(key).filter(|kept| now < kept.until)
    }

    fn keep(&mut self, key: (PhoneNumber, CountryCode), answer: KeptAnswer) {
        if self.answers.len() >= ANSWERS_MAX {
            self.answers.clear();
        }
        self.answers.insert(key, answer);
    }
}

impl Gateway {
    /// The register that is asked for a merchant; `None` where none was configured.
    pub(crate) fn number_register(&self, merchant: &Merchant) -> Option<&NumberRegister> {
        let registers = self.providers().number_registers();
        registers.of(merchant.account.environment).as_ref()
    }

    /// The brand whose product is sold for a number: that of the network which serves it today, as
    /// the register says, else that of the holder of its block.
    ///
    /// # Errors
    /// When the number was ported and it is not known where to: the holder of the block is
    /// certainly the wrong one.
    pub(crate) async fn brand_today(
        &self,
        register: &NumberRegister,
        (number, country): (&PhoneNumber, CountryCode),
        (holder, service): (Option<String>, Service),
    ) -> Result<Option<String>, RequestError> {
        let asked = (number.clone(), country);
        match self.serving_operator(register, asked, service).await {
            None => Ok(holder),
            Some(ServingOperator::PortedElsewhere) => Err(RequestError::NumberPorted),
            Some(ServingOperator::Named(name)) => {
                let brand = self.brand_of(&name, country);
                if brand.is_none() {
                    let provider = &register.provider;
                    tracing::warn!(%provider, network = name, "a number lookup named a network \
                        that is not in the catalogue: the holder of the block counts");
                }
                Ok(brand.or(holder))
            }
        }
    }

    /// What the register knows of a number, by an answer of the last minutes or a question; `None`
    /// where it knows nothing or is not to be asked at the moment.
    async fn serving_operator(
        &self,
        register: &NumberRegister,
        asked: (PhoneNumber, CountryCode),
        service: Service,
    ) -> Option<ServingOperator> {
        let settings = &self.parts().settings;
        let now = self.uptime();
        {
            let memory = register.memory();
            if let Some(known) = memory.recall(&asked, now) {
                return known.operator.clone();
            }
            if now < memory.away_until {
                return None;
            }
        }
        let offering = Offering {
            service,
            biller: None,
            at: self.now(),
        };
        let provider = &register.provider;
        let _place = self.providers().lookup_place(provider, offering, now)?;
        let (number, country) = &asked;
        let question = register.register.served_number(number, *country);
        let is_asked_for = |found: &ServedNumber| found.number == *number;
        let deadline = settings.number_lookup_deadline;
        let found = self
            .looked_up_within(deadline, question, is_asked_for)
            .await;
        let operator = match found {
            Ok(found) => Some(found.operator),
            Err(LookupFailure::Unknown) => None,
            Err(failure) => {
                let (provider, reason) = (&register.provider, reason(failure));
                tracing::warn!(%provider, reason, "a number lookup failed: the holder of the \
                    block counts");
                if failure == LookupFailure::Unreachable {
                    let until = self.uptime().saturating_add(settings.number_lookup_pause);
                    register.memory().away_until = until;
                }
                return None;
            }
        };
        let until = self.uptime().saturating_add(settings.number_lookup_ttl);
        let kept = KeptAnswer {
            operator: operator.clone(),
            until,
        };
        register.memory().keep(asked, kept);
        operator
    }

    /// The brand of a network that a register names by its code or its brand.
    fn brand_of(&self, name: &str, country: CountryCode) -> Option<String> {
        let catalogue = self.catalogue();
        let networks = catalogue.networks().into_iter();
        let mut of_country =
            networks.filter(|it| catalogue.network(country, &it.brandname).is_some());
        let is_named = |text: &str| text.eq_ignore_ascii_case(name);
        let network = of_country.find(|it| is_named(&it.code) || is_named(&it.brandname));
        if let Some(network) = network {
            return Some(network.brandname.clone());
        }
        let mut sellers = catalogue.data_providers(country).into_iter();
        let seller = sellers.find(|it| is_named(&it.brandname));
        seller.map(|it| it.brandname.clone())
    }
}

const fn reason(failure: LookupFailure) -> &'static str {
    match failure {
        LookupFailure::Unknown => "unknown",
        LookupFailure::Unreachable => "unreachable",
        LookupFailure::Unusable => "unusable",
    }
}
