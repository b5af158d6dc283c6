//! Providers: those who deliver. An adapter must map every answer it does not know for certain to
//! unknown; only its contract's listed refusals and failures before the first byte are noes.

use crate::PortError;
use crate::callbacks::{Callbacks, MessageReport};
use crate::permit::SendPermit;
use crate::provider_limits::ProviderLimits;
use crate::receipts::Receipts;
use async_trait::async_trait;
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::float::{ProviderBalance, ProviderStatementPage, StatementCursor, StatementPeriod};
use domain::listed_offer::ListedOffer;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::paid_lookup::LookupCategory;
use domain::phone::PhoneNumber;
use domain::provider::{
    AbsencePolicy, AttemptDetails, ProviderId, ProviderTransactionId, QueryOutcome, Submission,
    SubmitOutcome,
};
use domain::reference::{ProviderReference, UndatedReference};
use domain::subscription::BillerCode;
use domain::time::Timestamp;
use domain::transaction::PreparedAttempt;

/// The changes that a provider reports since a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// What it says of attempts, oldest first. The position of the first is the cursor it was
    /// asked for, and each other one's is one more.
    pub findings: Vec<(ProviderReference, QueryOutcome)>,
    /// Messages of people that came in between.
    pub messages: Vec<MessageReport>,
    /// Where to go on from.
    pub next: u64,
}

/// The attempt that a provider is asked about, with what is known of it. Of one that only the
/// provider knows there is nothing but its reference.
#[derive(Debug, Clone, Copy)]
pub struct AttemptQuery<'a> {
    /// What the provider knows it by.
    pub reference: &'a ProviderReference,
    /// What the adapter has to remember of it, as it was prepared.
    pub adapter_state: Option<&'a str>,
    /// What the provider calls it, where it said so.
    pub id: Option<&'a ProviderTransactionId>,
    /// What was ordered: some answers can only be checked against it.
    pub order: Option<&'a Order>,
    /// When it was recorded.
    pub started_at: Option<Timestamp>,
}

impl<'a> AttemptQuery<'a> {
    /// An attempt of which nothing but the reference is known.
    pub const fn by(reference: &'a ProviderReference) -> Self {
        Self {
            reference,
            adapter_state: None,
            id: None,
            order: None,
            started_at: None,
        }
    }
}

/// What a provider answered: what came of the attempt, and what it reported of it besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderAnswer<T> {
    /// What came of it.
    pub outcome: T,
    /// What was reported besides.
    pub details: AttemptDetails,
}

impl<T> From<T> for ProviderAnswer<T> {
    fn from(outcome: T) -> Self {
        Self {
            outcome,
            details: AttemptDetails::default(),
        }
    }
}

/// What an attempt is prepared from.
#[derive(Debug)]
pub struct Naming<'a> {
    /// The reference that is derived from what the merchant chose. It is unique for ever; where the
    /// provider's form does not allow it, the adapter makes one of its own from it.
    pub derived: ProviderReference,
    /// What will be delivered.
    pub order: &'a Order,
    /// When the attempt is recorded; the same after a crash.
    pub started_at: Timestamp,
}

/// The form of references that an adapter makes. Such a reference does not say what it was made of,
/// and may hold a date: what is left of it without the date is how a lost one is recognised.
pub trait OwnReferences: Send + Sync + std::fmt::Debug {
    /// What every reference of an attempt has in common, whenever it is prepared.
    fn undated(&self, derived: &ProviderReference) -> UndatedReference;

    /// The same, read from a reference; `None` where it does not have this form.
    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference>;
}

/// One provider.
#[async_trait]
pub trait Provider: Send + Sync + std::fmt::Debug {
    /// Its identity.
    fn id(&self) -> &ProviderId;

    /// How its silence about an order of a service is read.
    fn absence_policy(&self, service: Service) -> AbsencePolicy;

    /// Whether it can deliver an order. What it cannot do is refused before anything is opened, or
    /// goes to another provider.
    fn serves(&self, order: &Order) -> bool {
        let _ = order;
        true
    }

    /// What it takes of a service: how much at once, how fast, and what it takes for a copy. The
    /// gateway keeps to it.
    fn limits(&self, service: Service) -> ProviderLimits {
        let _ = service;
        ProviderLimits::NONE
    }

    /// Whether it can deliver an order under a code of its own that the catalogue gives for it. An
    /// adapter that does not know such codes delivers nothing under them.
    fn serves_as(&self, order: &Order, code: &str) -> bool {
        let _ = (order, code);
        false
    }

    /// Prepares an attempt under a code of the provider's that the catalogue gives for the order,
    /// where [`Provider::serves_as`] said yes. The code has to be remembered with the attempt.
    fn prepare_as(&self, naming: Naming<'_>, code: &str) -> PreparedAttempt {
        let _ = code;
        self.prepare(naming)
    }

    /// Its own list of plans and prices; `None` where it has none.
    fn price_list(&self) -> Option<&dyn PriceList> {
        None
    }

    /// Prepares an attempt that is about to be recorded: what the provider will know it by, and
    /// what has to be remembered of it. It is stored with the attempt and given back with every
    /// call about it, so an adapter keeps nothing by itself. It sends nothing, and the same attempt
    /// is prepared the same each time.
    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        PreparedAttempt {
            provider: self.id().clone(),
            reference: naming.derived,
            adapter_state: None,
        }
    }

    /// Sends one attempt, once. It never retries by itself.
    ///
    /// The adapter connects first, then asks for the permit and calls
    /// [`Granted::begin_writing`](crate::permit::Granted::begin_writing) immediately before it
    /// writes the first byte of the request. Where either is refused it writes nothing and answers
    /// [`SubmitOutcome::NotSent`]. Bytes that it cannot take back, such as a request handed to a
    /// pool that may connect later, count as written.
    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome>;

    /// Asks about an attempt; asking changes nothing at the provider.
    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome>;

    /// The form of its references where they are its own; `None` where [`Provider::prepare`] keeps
    /// the derived ones.
    fn own_references(&self) -> Option<&dyn OwnReferences> {
        None
    }

    /// How its callbacks are read; `None` where it sends none.
    fn callbacks(&self) -> Option<&dyn Callbacks> {
        None
    }

    /// Whether it reports every message of a family that this person sends, so that the gateway
    /// knows when the person last wrote. It must not be said where a message may be missing.
    fn reports_messages_of(&self, _service: Service, _number: &PhoneNumber) -> bool {
        false
    }

    /// How it reports what became of messages; `None` where it does not.
    fn receipts(&self) -> Option<&dyn Receipts> {
        None
    }

    /// Reads what has to be known before anything can be submitted. It is called once, for a few
    /// seconds at most, where an account is opened again with other secrets while the gateway runs:
    /// only an account that is ready replaces the one before.
    ///
    /// # Errors
    /// When the provider did not answer, or refused the secrets.
    async fn make_ready(&self) -> Result<(), PortError> {
        Ok(())
    }

    /// What changed at the provider without our asking, such as reversals, from a cursor on; 0 is
    /// the beginning. Few providers have such a list; of the others this is empty.
    ///
    /// # Errors
    /// When the provider could not be asked.
    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        Ok(Changes {
            findings: Vec::new(),
            messages: Vec::new(),
            next: cursor,
        })
    }

    /// What is left of our money there, in the currency of its orders; `None` where it does not
    /// say. Asking costs nothing and changes nothing.
    ///
    /// # Errors
    /// When the provider could not be asked, or its answer cannot be used.
    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        Ok(None)
    }

    /// One page of what it did for us in a period, from a cursor of an earlier page on; `None`
    /// where it has no statement.
    ///
    /// # Errors
    /// When the provider could not be asked, or its answer cannot be used.
    async fn statement(
        &self,
        period: StatementPeriod,
        after: Option<&StatementCursor>,
    ) -> Result<Option<ProviderStatementPage>, PortError> {
        let _ = (period, after);
        Ok(None)
    }
}

/// A plan as a provider lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPlan {
    /// What the provider calls it.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its price; `None` where the customer chooses the amount.
    pub amount: Option<Money>,
}

impl ListedPlan {
    /// The plan as an offer of a product. A plan that is listed can be bought.
    pub fn of_product(self, product: &str) -> ListedOffer {
        ListedOffer {
            product: product.to_owned(),
            code: self.code,
            name: self.name,
            amount: self.amount,
            minimum: None,
            maximum: None,
            available: true,
            lookup: None,
        }
    }
}

/// What a provider says it sells. It changes nothing here: operators compare and publish.
#[async_trait]
pub trait PriceList: Send + Sync + std::fmt::Debug {
    /// The plans that the provider lists for one of our billers; `None` where it sells none of its
    /// plans.
    ///
    /// # Errors
    /// When the provider could not be asked, or its answer cannot be read.
    async fn plans(
        &self,
        product: Service,
        biller: &BillerCode,
    ) -> Result<Option<Vec<ListedPlan>>, PortError>;

    /// The lookups of a category that the provider lists, each with what it asks for; none where
    /// an adapter knows no lookups.
    ///
    /// # Errors
    /// When the provider could not be asked, or its answer cannot be read.
    async fn lookups(&self, category: LookupCategory) -> Result<Vec<ListedOffer>, PortError> {
        let _ = category;
        Ok(Vec::new())
    }

    /// What the provider lists of some products, such as `internet.301` or `airtime.mtn`; nothing
    /// of one that it does not list. Where an adapter knows plans alone, these are the offers.
    ///
    /// # Errors
    /// When the provider could not be asked, or its answer cannot be read.
    async fn offers(&self, products: &[String]) -> Result<Vec<ListedOffer>, PortError> {
        let mut offers = Vec::new();
        for product in products {
            let Some((service, biller)) = product.split_once('.') else {
                continue;
            };
            let service = Service::from_code(service);
            let (Some(service), Ok(biller)) = (service, BillerCode::parse(biller)) else {
                continue;
            };
            let plans = self.plans(service, &biller).await?;
            let plans = plans.unwrap_or_default().into_iter();
            offers.extend(plans.map(|plan| plan.of_product(product)));
        }
        Ok(offers)
    }
}

/// Sealing references at a provider that can.
#[async_trait]
pub trait Seals: Send + Sync + std::fmt::Debug {
    /// Refuses a reference for ever, unless the provider has seen a request under it; then says
    /// what became of that. After a seal, a request that is still on its way delivers nothing.
    async fn seal(&self, reference: &ProviderReference) -> QueryOutcome;
}

/// Why a lookup has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum LookupFailure {
    /// The biller knows no such customer.
    #[error("unknown to the biller")]
    Unknown,
    /// The biller cannot be reached.
    #[error("the biller cannot be reached")]
    Unreachable,
    /// The biller's answer makes no sense.
    #[error("the biller's answer cannot be used")]
    Unusable,
}

/// Looking meters up at their distribution company.
#[async_trait]
pub trait Meters: Send + Sync + std::fmt::Debug {
    /// The meter as its company knows it now.
    ///
    /// # Errors
    /// When the company knows no such meter, cannot be reached, or answers nonsense.
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure>;
}

/// Looking smartcards up at their provider.
#[async_trait]
pub trait Smartcards: Send + Sync + std::fmt::Debug {
    /// The card as its provider knows it now.
    ///
    /// # Errors
    /// When the provider knows no such card, cannot be reached, or answers nonsense.
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure>;
}
