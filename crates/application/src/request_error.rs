//! Why a request is refused before anything is stored or moved. It must stay closed: the edge maps
//! every case to a status without a default.

use crate::spending::OverLimit;
use crate::user::PayeeRefusal;
use crate::webhook::EndpointError;
use domain::bank::InvalidPayDay;
use domain::batch::BatchKind;
use domain::country::CountryCode;
use domain::freeze::FreezeBreach;
use domain::international::DestinationCurrency;
use domain::ivr::UnfilledFlow;
use domain::messaging_library::LibraryKind;
use domain::money::Money;
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::subscription::PlanCode;
pub use ports::provider::LookupFailure;
pub use ports::{CommitState, PortError, PortErrorKind};

/// A plan that can be bought in place of one that was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemainingPlan {
    /// Its identity.
    pub code: PlanCode,
    /// Its name.
    pub name: String,
    /// What one period of it costs the merchant.
    pub price: Money,
}

/// A payment of a batch that is refused.
#[derive(Debug)]
pub struct RefusedItem {
    /// Its place in the request, from 0 on.
    pub place: usize,
    /// Why.
    pub error: RequestError,
}

/// Why a batch cannot be stored now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BatchLater {
    /// Its payments could not all be looked up in time.
    #[error("the payments of the batch could not be looked up in time")]
    TooSlow,
    /// Another request under its reference is still being worked on, and may store it.
    #[error("another request under the reference of the batch is still in progress")]
    InProgress,
}

/// Why a message or a call cannot be made as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageRefusal {
    /// The account keeps no such template or flow.
    #[error("no such {}", .0.code())]
    NotKept(LibraryKind),
    /// The values do not fit the flow.
    #[error("the values do not fit the flow")]
    Unfilled(Vec<UnfilledFlow>),
    /// The person has not written to the sender lately, so only a template may be sent.
    #[error("the person has not written to the sender within 24 hours")]
    ConversationClosed,
}

/// Why a quote is not honoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuoteRefusal {
    /// It was not made for this account, or was changed.
    #[error("no quote of this account")]
    Unknown,
    /// It was made for another product or amount.
    #[error("the quote is of another product or amount")]
    OfAnother,
    /// Its time is over.
    #[error("the quote has expired")]
    Expired,
}

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The number does not exist in the country's numbering plan.
    #[error("the number does not exist in the numbering plan of the country")]
    NumberNotInPlan,
    /// Nothing is sold in the country.
    #[error("nothing is sold in country {0}")]
    CountryNotServed(CountryCode),
    /// No airtime is sold for the network that holds the number.
    #[error("no airtime is sold for the network of this number")]
    NetworkNotServed,
    /// The number was ported, and it is not known which network serves it.
    #[error("the number was ported, and its network is not known")]
    NumberPorted,
    /// No such provider, company or bank of the family.
    #[error("no such provider")]
    ProviderUnknown(Service),
    /// What is asked for cannot be bought of its provider at the moment.
    #[error("the provider cannot be paid at the moment")]
    ProviderUnavailable(Service),
    /// Its provider would take the order for a copy of one that it was sent shortly before.
    #[error("an equal order was sent to the provider shortly before")]
    Lookalike(Service),
    /// The provider has no such plan.
    #[error("no such plan")]
    PlanUnknown(Service),
    /// The plan is sold no more; beside it, what its provider sells.
    #[error("the plan is sold no more")]
    PlanWithdrawn(Vec<RemainingPlan>),
    /// The customer's meter, card or account could not be looked up, or is unknown to its provider.
    #[error("the customer cannot be looked up: {1}")]
    Lookup(Service, LookupFailure),
    /// The lookup is about a person, and names no consent of theirs.
    #[error("the reference of the consent of the person is missing")]
    ConsentRequired,
    /// The biller has no such open bill of the customer.
    #[error("no such bill is open")]
    BillUnknown,
    /// The account number cannot be one of the bank's: its check digit is wrong.
    #[error("the check digit of the account number is wrong")]
    WrongCheckDigit,
    /// The account has no such sender.
    #[error("no such sender")]
    SenderUnknown,
    /// The message or the call cannot be made as it was asked for.
    #[error(transparent)]
    Message(#[from] MessageRefusal),
    /// The sender is not approved.
    #[error("the sender is not approved")]
    SenderNotApproved,
    /// The message needs more parts than may be sent.
    #[error("the message is too long")]
    MessageTooLong,
    /// The amount is below the smallest that can be bought of the family.
    #[error("the smallest amount is {1}")]
    BelowMinimum(Service, Money),
    /// The amount is above the largest that can be bought of the family.
    #[error("the largest amount is {1}")]
    AboveMaximum(Service, Money),
    /// The account's terms leave no price above zero.
    #[error("the terms of this product leave no price above zero")]
    Unpriceable,
    /// The wallet does not cover the price.
    #[error("the wallet does not cover the price of {0}")]
    InsufficientFunds(Money),
    /// The account's own limits do not allow it.
    #[error(transparent)]
    OverLimit(#[from] OverLimit),
    /// The account, or the service, is frozen.
    #[error(transparent)]
    Frozen(#[from] FreezeBreach),
    /// The account is suspended.
    #[error("the account is suspended")]
    Suspended,
    /// The reference was used before.
    #[error("the reference was used before")]
    ReferenceTaken {
        /// The family of the transaction that has it: its report is the way back.
        service: Service,
        /// The reference.
        reference: MerchantReference,
    },
    /// The reference was used for a batch before.
    #[error("the reference was used for a batch before")]
    BatchTaken {
        /// What the batch is made of: its report is the way back.
        kind: BatchKind,
        /// Its reference.
        reference: MerchantReference,
    },
    /// Payments of a batch are refused, and so is the batch.
    #[error("{} payments of the batch are refused", .0.len())]
    Items(Vec<RefusedItem>),
    /// Nothing is sent in the currency to the country; beside it, what is.
    #[error("nothing is sent there in this currency")]
    CurrencyNotServed(Vec<DestinationCurrency>),
    /// The account of a beneficiary is not in the country that is paid.
    #[error("the account of the beneficiary is not in country {country}")]
    BeneficiaryElsewhere {
        /// The country that is paid.
        country: CountryCode,
        /// Whether the account was named by its IBAN, else by its bank.
        has_iban: bool,
    },
    /// The quote that an order goes by is not honoured.
    #[error(transparent)]
    Quote(#[from] QuoteRefusal),
    /// The account has no group of the number.
    #[error("the account has no such group")]
    GroupUnknown,
    /// No salary is paid on the day.
    #[error("the pay day {0}")]
    PayDay(#[from] InvalidPayDay),
    /// The batch cannot be stored now.
    #[error(transparent)]
    BatchLater(#[from] BatchLater),
    /// The idempotency key was used for a request with another meaning.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The first request under the idempotency key is still being worked on.
    #[error("the first request under this idempotency key is still in progress")]
    InProgress,
    /// The gateway is shutting down and takes no new payments.
    #[error("the gateway is shutting down")]
    Draining,
    /// As many payments as the gateway may have in hand are under way.
    #[error("too many payments are under way")]
    Saturated,
    /// The store is older than what was promised from it: until a person has compared it with the
    /// providers, nothing new is opened.
    #[error("nothing is opened until the books have been compared with the providers")]
    ReconciliationRequired,
    /// A provider knows the reference and the store, which was restored, does not.
    #[error("a payment under this reference may have been made before the database was restored")]
    ReferenceUnsettled,
    /// A payment under the reference was delivered before a restore, and settled since.
    #[error("a payment under this reference was delivered before the database was restored")]
    ReferenceSettled,
    /// The account that is to be paid refuses it.
    #[error(transparent)]
    Payee(#[from] PayeeRefusal),
    /// A webhook endpoint or its deliveries refuse it.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The store failed; nothing is known to have been done. A query by reference resolves it.
    #[error("the store failed")]
    Store(#[from] PortError),
}

impl RequestError {
    /// Refuses an amount that is not within the smallest and the largest.
    pub(crate) fn unless_within(
        (minimum, maximum): (Money, Money),
        amount: Money,
        service: Service,
    ) -> Result<(), Self> {
        if amount.minor() < minimum.minor() {
            return Err(Self::BelowMinimum(service, minimum));
        }
        if amount.minor() > maximum.minor() {
            return Err(Self::AboveMaximum(service, maximum));
        }
        Ok(())
    }
}
