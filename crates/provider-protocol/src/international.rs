//! Transfers abroad in the protocol. What arrives must stand in the currency it arrives in, and how
//! long a quote lasts must not depend on anyone's clock.

use crate::amount::Amount;
use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, OrderContext};
use crate::moment::Moment;
use domain::country::CountryCode;
use domain::international::{
    AmountAsked, Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, DestinationAmount,
    DestinationCurrency, ExchangeRate, ForeignAccountNumber, Iban, InternationalOrder,
    PostalAddress, ProviderQuote, ProviderQuoteId, QuoteRequest, Remittance, TransferPurpose,
};
use domain::order::Service;
use domain::provider::{Fulfilment, ProviderId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// An amount that arrives: `{"minor": 85000, "currency": "GHS"}` is 850.00 cedis.
#[derive(Serialize, Deserialize)]
struct DestinationDocument {
    minor: i64,
    currency: String,
}

impl From<DestinationAmount> for DestinationDocument {
    fn from(amount: DestinationAmount) -> Self {
        Self {
            minor: amount.minor(),
            currency: amount.currency().code().to_owned(),
        }
    }
}

impl DestinationDocument {
    fn amount(&self, field: &'static str) -> Result<DestinationAmount, DocumentError> {
        let currency = word(DestinationCurrency::from_code(&self.currency), field)?;
        word(DestinationAmount::from_minor(self.minor, currency), field)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InternationalOrderDocument {
    quoted_by: String,
    quote: String,
    quote_ends: Moment,
    country: String,
    destination: DestinationDocument,
    rate: String,
    account_name: String,
    /// Left out where the number is an IBAN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bic: Option<String>,
    number: String,
    address: String,
    purpose: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct RemittanceDocument {
    credited: DestinationDocument,
}

pub(crate) struct InternationalDocuments;

impl FamilyDocuments for InternationalDocuments {
    type Order = InternationalOrder;
    type OrderDocument = InternationalOrderDocument;
    type ReceiptDocument = RemittanceDocument;

    fn order(order: &InternationalOrder) -> InternationalOrderDocument {
        let Beneficiary {
            name,
            account,
            address,
        } = &order.beneficiary;
        InternationalOrderDocument {
            quoted_by: order.quoted_by.as_str().to_owned(),
            quote: order.quote.as_str().to_owned(),
            quote_ends: order.quote_ends.into(),
            country: order.country.to_string(),
            destination: order.destination.into(),
            rate: order.rate.to_string(),
            account_name: name.as_str().to_owned(),
            bic: account.bank().map(|bic| bic.as_str().to_owned()),
            number: account.number().to_owned(),
            address: address.as_str().to_owned(),
            purpose: order.purpose.code().to_owned(),
        }
    }

    fn read_order(
        document: InternationalOrderDocument,
        ordered: OrderContext,
    ) -> Result<InternationalOrder, DocumentError> {
        let account = account(&document)?;
        Ok(InternationalOrder {
            quoted_by: valid(ProviderId::parse(&document.quoted_by), "order.quotedBy")?,
            quote: valid(ProviderQuoteId::parse(&document.quote), "order.quote")?,
            quote_ends: document.quote_ends.into(),
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            source: ordered.amount,
            destination: document.destination.amount("order.destination")?,
            rate: valid(ExchangeRate::parse(&document.rate), "order.rate")?,
            beneficiary: Beneficiary {
                name: valid(
                    BeneficiaryName::parse(&document.account_name),
                    "order.accountName",
                )?,
                account,
                address: valid(PostalAddress::parse(&document.address), "order.address")?,
            },
            purpose: word(
                TransferPurpose::from_code(&document.purpose),
                "order.purpose",
            )?,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<RemittanceDocument> {
        let credited = fulfilment.remittance()?.credited.into();
        Some(RemittanceDocument { credited })
    }

    fn read_receipt(
        document: Option<RemittanceDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        let credited = document.credited.amount("receipt.credited")?;
        Ok(Some(Fulfilment::International(Remittance { credited })))
    }
}

fn account(document: &InternationalOrderDocument) -> Result<BeneficiaryAccount, DocumentError> {
    let Some(bic) = &document.bic else {
        let iban = valid(Iban::parse(&document.number), "order.number")?;
        return Ok(BeneficiaryAccount::Iban(iban));
    };
    let bic = valid(Bic::parse(bic), "order.bic")?;
    let number = ForeignAccountNumber::parse(&document.number);
    let number = valid(number, "order.number")?;
    Ok(BeneficiaryAccount::AtBank(bic, number))
}

/// `POST /lookups/quote`: what an amount would be converted at.
#[derive(Serialize, Deserialize)]
pub struct QuoteLookup {
    country: String,
    currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    destination: Option<DestinationDocument>,
}

impl std::fmt::Debug for QuoteLookup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuoteLookup").finish_non_exhaustive()
    }
}

impl From<&QuoteRequest> for QuoteLookup {
    fn from(asked: &QuoteRequest) -> Self {
        let (source, destination) = match asked.amount {
            AmountAsked::Source(source) => (Some(Amount::from(source)), None),
            AmountAsked::Destination(destination) => (None, Some(destination.into())),
        };
        Self {
            country: asked.country.to_string(),
            currency: asked.currency.code().to_owned(),
            source,
            destination,
        }
    }
}

impl QuoteLookup {
    /// What is asked for.
    ///
    /// # Errors
    /// When a field holds what it cannot hold, or there is not exactly one amount.
    pub fn request(&self) -> Result<QuoteRequest, DocumentError> {
        let amount = match (&self.source, &self.destination) {
            (Some(source), None) => AmountAsked::Source(source.money("source")?),
            (None, Some(destination)) => {
                AmountAsked::Destination(destination.amount("destination")?)
            }
            (Some(_), Some(_)) | (None, None) => word(None, "source")?,
        };
        Ok(QuoteRequest {
            country: valid(CountryCode::parse(&self.country), "country")?,
            currency: word(DestinationCurrency::from_code(&self.currency), "currency")?,
            amount,
        })
    }
}

/// A quote as its provider makes it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuoteDocument {
    quote: String,
    rate: String,
    source: Amount,
    destination: DestinationDocument,
    valid_seconds: u32,
    arrives_seconds: u32,
}

impl std::fmt::Debug for QuoteDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuoteDocument").finish_non_exhaustive()
    }
}

impl From<&ProviderQuote> for QuoteDocument {
    fn from(quote: &ProviderQuote) -> Self {
        let seconds = |length: Duration| u32::try_from(length.as_secs()).unwrap_or(u32::MAX);
        Self {
            quote: quote.id.as_str().to_owned(),
            rate: quote.rate.to_string(),
            source: quote.source.into(),
            destination: quote.destination.into(),
            valid_seconds: seconds(quote.lasts),
            arrives_seconds: seconds(quote.arrives_in),
        }
    }
}

impl QuoteDocument {
    /// The quote, as that of the provider who was asked.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn quote(self, provider: ProviderId) -> Result<ProviderQuote, DocumentError> {
        Ok(ProviderQuote {
            provider,
            id: valid(ProviderQuoteId::parse(&self.quote), "quote")?,
            rate: valid(ExchangeRate::parse(&self.rate), "rate")?,
            source: self.source.money("source")?,
            destination: self.destination.amount("destination")?,
            lasts: Duration::from_secs(self.valid_seconds.into()),
            arrives_in: Duration::from_secs(self.arrives_seconds.into()),
        })
    }
}
