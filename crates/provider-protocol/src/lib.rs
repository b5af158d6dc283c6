//! The provider protocol, version 1: what a gateway and a provider process say to each other, as
//! JSON documents with signatures. It must not do any I/O, and must never turn an answer that is
//! not certain into a definite one.
//!
//! The documents are public and stable. Amounts are whole minor units with their currency, moments
//! are RFC 3339 in UTC, and names are those a provider reads in `docs/provider-protocol`. Fields
//! that a reader does not know are ignored; a state or word it does not know is read as unknown.

mod airtime;
mod amount;
mod attempt;
mod bank;
mod bill;
mod cabletv;
mod callback;
mod capabilities;
mod card;
mod catalogue;
mod changes;
mod document;
mod electricity;
mod error;
mod family;
mod float;
mod hlr;
mod international;
mod internet;
mod ivr;
mod lookup;
mod messaging;
mod mobile_money;
mod moment;
mod number_lookup;
mod paid_lookup;
mod profile;
mod rcs;
mod reference_form;
mod sms;
mod token;
mod voice;
mod weakening;
mod whatsapp;

pub use amount::Amount;
pub use attempt::{
    AttemptAnswer, AttemptRequest, AttemptState, EXPIRED, REFERENCE_BYTES_MAX, RefusalDocument,
    SEALED, expired, read_reference, sealed,
};
pub use callback::{
    ATTEMPT_CHANGED, AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER,
    CALLBACK_TIMESTAMP_HEADER, CallbackAttempt, CallbackKind, CallbackParts, MESSAGE_RECEIVED,
    MessageCallback, MessageDocument, is_authentic_callback, sign_callback,
};
pub use capabilities::{Capabilities, Feature, InvalidCapabilities, ListedCode, ProviderIdentity};
pub use card::{CardLookup, PaymentCardDocument};
pub use catalogue::{
    CatalogueDocument, OFFER_CODE_MAX, OFFER_PAGES_MAX, OFFERS_MAX, OfferDocument,
    OfferListReading, is_offer_code, offers_page_max,
};
pub use changes::{AttemptChanges, CHANGES_MAX};
pub use document::{BODY_BYTES_MAX, DocumentError, NESTING_MAX, read, write};
pub use electricity::MeterDocument;
pub use error::{ErrorDetail, ErrorDocument, ProtocolFault};
pub use family::{beneficiary_of, read_order, read_receipt, write_order, write_receipt};
pub use float::{BalanceDocument, BalancesDocument, StatementDocument, StatementLineDocument};
pub use international::{QuoteDocument, QuoteLookup};
pub use lookup::{
    AccountLookup, BankAccountDocument, BillAccountDocument, CustomerLookup, LabelledValueDocument,
    LookupAnswer, MeterLookup, SmartcardDocument, SmartcardLookup,
};
/// Signatures of requests and answers, in the profile of the provider protocol.
pub use message_signatures as signature;
pub use mobile_money::{MobileWalletDocument, WalletLookup};
pub use moment::Moment;
pub use number_lookup::{OperatorLookup, ServedNumberDocument};
pub use paid_lookup::{LookupOfferDocument, LookupParameterDocument};
pub use profile::{
    AbsenceProof, CallbackUse, DuplicateRule, IncomingUse, ProviderGrade, ServiceProfile,
};
pub use reference_form::{InvalidReferenceForm, ReferenceForm, ReferencePrefix};
pub use weakening::{Weakening, weakenings};

/// The media type of every body.
pub const MEDIA_TYPE: &str = "application/json";

/// The header in which both sides name the version they speak.
pub const VERSION_HEADER: &str = "manilla-protocol";

/// The header of an answer that repeats the present state of an earlier request.
pub const REPLAYED_HEADER: &str = "replayed";

/// The version this crate speaks. The path carries the major.
pub const VERSION: &str = "1.0";

/// The path before every operation.
pub const PATH_PREFIX: &str = "/v1";

/// Whether a version, such as `1.3`, has the major this crate speaks.
pub fn speaks(version: &str) -> bool {
    version
        .split_once('.')
        .is_some_and(|(major, minor)| major == "1" && minor.parse::<u16>().is_ok())
}
