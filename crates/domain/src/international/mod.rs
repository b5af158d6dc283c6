//! Transfers abroad: destinations, quotes, beneficiaries, orders. It must not know who quotes a
//! rate.

mod beneficiary;
mod destination;
mod iban;
mod order;
mod quote;
mod rate;

pub use beneficiary::{
    Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, ForeignAccountNumber, InvalidBic,
    InvalidForeignAccount, InvalidParty, PostalAddress, WrongCountry,
};
pub use destination::{DestinationAmount, DestinationCurrency};
pub use iban::{Iban, InvalidIban};
pub use order::{InternationalOrder, InternationalTransfer, Remittance, TransferPurpose};
pub use quote::{
    AmountAsked, Corridor, InternationalQuote, InvalidProviderQuoteId, ProviderQuote,
    ProviderQuoteId, QuoteRequest,
};
pub use rate::{ExchangeRate, InvalidRate};
