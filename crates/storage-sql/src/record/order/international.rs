//! The record of a transfer abroad. It must hold the quote as its provider made it before the money
//! was held.

use crate::record::RecordError;
use crate::record::scalar::{MoneyRecord, StoredTimestamp, Text, country, valid, word};
use domain::international::{
    Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, DestinationAmount, DestinationCurrency,
    ExchangeRate, ForeignAccountNumber, Iban, InternationalOrder, PostalAddress, ProviderQuoteId,
    TransferPurpose,
};
use domain::provider::ProviderId;
use serde::{Deserialize, Serialize};

/// An amount abroad: its minor units and the code of its currency.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct DestinationRecord<'a>(i64, #[serde(borrow)] Text<'a>);

impl From<DestinationAmount> for DestinationRecord<'_> {
    fn from(amount: DestinationAmount) -> Self {
        Self(amount.minor(), amount.currency().code().into())
    }
}

impl DestinationRecord<'_> {
    pub(in crate::record) fn restore(
        &self,
        field: &'static str,
    ) -> Result<DestinationAmount, RecordError> {
        let currency = word(DestinationCurrency::from_code(&self.1), field)?;
        word(DestinationAmount::from_minor(self.0, currency), field)
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::record) struct InternationalRecord<'a> {
    #[serde(borrow)]
    quoted_by: Text<'a>,
    #[serde(borrow)]
    quote: Text<'a>,
    quote_ends: StoredTimestamp,
    country: u16,
    #[serde(borrow)]
    source: MoneyRecord<'a>,
    #[serde(borrow)]
    destination: DestinationRecord<'a>,
    #[serde(borrow)]
    rate: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    iban: Option<Text<'a>>,
    #[serde(borrow)]
    bank: Option<Text<'a>>,
    #[serde(borrow)]
    account: Option<Text<'a>>,
    #[serde(borrow)]
    address: Text<'a>,
    #[serde(borrow)]
    purpose: Text<'a>,
}

impl<'a> From<&'a InternationalOrder> for InternationalRecord<'a> {
    fn from(order: &'a InternationalOrder) -> Self {
        let Beneficiary {
            name,
            account,
            address,
        } = &order.beneficiary;
        let (iban, at_bank) = match account {
            BeneficiaryAccount::Iban(iban) => (Some(iban.as_str().into()), None),
            BeneficiaryAccount::AtBank(bank, number) => (None, Some((bank, number))),
        };
        Self {
            quoted_by: order.quoted_by.as_str().into(),
            quote: order.quote.as_str().into(),
            quote_ends: order.quote_ends.into(),
            country: order.country.get(),
            source: order.source.into(),
            destination: order.destination.into(),
            rate: order.rate.to_string().into(),
            name: name.as_str().into(),
            iban,
            bank: at_bank.map(|(bank, _)| bank.as_str().into()),
            account: at_bank.map(|(_, number)| number.as_str().into()),
            address: address.as_str().into(),
            purpose: order.purpose.code().into(),
        }
    }
}

impl InternationalRecord<'_> {
    pub(super) fn restore(self) -> Result<InternationalOrder, RecordError> {
        let account = match (&self.iban, &self.bank, &self.account) {
            (Some(iban), None, None) => BeneficiaryAccount::Iban(valid(Iban::parse(iban), "iban")?),
            (None, Some(bank), Some(number)) => BeneficiaryAccount::AtBank(
                valid(Bic::parse(bank), "bank")?,
                valid(ForeignAccountNumber::parse(number), "account")?,
            ),
            _ => return word(None, "account"),
        };
        Ok(InternationalOrder {
            quoted_by: valid(ProviderId::parse(&self.quoted_by), "quoted_by")?,
            quote: valid(ProviderQuoteId::parse(&self.quote), "quote")?,
            quote_ends: self.quote_ends.into(),
            country: country(self.country)?,
            source: self.source.restore("source")?,
            destination: self.destination.restore("destination")?,
            rate: valid(ExchangeRate::parse(&self.rate), "rate")?,
            beneficiary: Beneficiary {
                name: valid(BeneficiaryName::parse(&self.name), "name")?,
                account,
                address: valid(PostalAddress::parse(&self.address), "address")?,
            },
            purpose: word(TransferPurpose::from_code(&self.purpose), "purpose")?,
        })
    }
}
