//! What the merchant asked to pay abroad. The quote is frozen as its provider made it; it must
//! never be asked for again afterwards.

use super::{Beneficiary, DestinationAmount, ExchangeRate, ProviderQuoteId};
use crate::country::CountryCode;
use crate::family::{AbsenceEnds, FamilyOrder};
use crate::money::Money;
use crate::order::Service;
use crate::provider::{Fulfilment, ProviderId};
use crate::quote_identifier::QuoteIdentifier;
use crate::reference::MerchantReference;
use crate::time::Timestamp;

/// What a transfer is for, as the authorities of both countries ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransferPurpose {
    /// Support of a family.
    Family,
    /// Fees and upkeep of students.
    Education,
    /// Treatment.
    Medical,
    /// Goods that are bought.
    Goods,
    /// Services that are bought.
    Services,
    /// Wages.
    Salary,
    /// Travel.
    Travel,
    /// Rent and property.
    Property,
    /// Investment.
    Investment,
    /// Gifts and donations.
    Gift,
}

impl TransferPurpose {
    /// Every purpose.
    pub const ALL: [Self; 10] = [
        Self::Family,
        Self::Education,
        Self::Medical,
        Self::Goods,
        Self::Services,
        Self::Salary,
        Self::Travel,
        Self::Property,
        Self::Investment,
        Self::Gift,
    ];

    /// The word on the interface and in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::Education => "education",
            Self::Medical => "medical",
            Self::Goods => "goods",
            Self::Services => "services",
            Self::Salary => "salary",
            Self::Travel => "travel",
            Self::Property => "property",
            Self::Investment => "investment",
            Self::Gift => "gift",
        }
    }

    /// The purpose of a word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.code() == code)
    }
}

/// A transfer as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternationalTransfer {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The quote it goes by.
    pub quote: QuoteIdentifier,
    /// Who is paid.
    pub beneficiary: Beneficiary,
    /// What for.
    pub purpose: TransferPurpose,
}

/// A transfer with the quote it goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InternationalOrder {
    /// Who made the quote: no other provider may be given the order.
    pub quoted_by: ProviderId,
    /// What that provider calls its quote.
    pub quote: ProviderQuoteId,
    /// The moment from which that provider keeps it no more: no attempt begins after it.
    pub quote_ends: Timestamp,
    /// The country it goes to.
    pub country: CountryCode,
    /// What is converted.
    pub source: Money,
    /// What arrives.
    pub destination: DestinationAmount,
    /// The rate.
    pub rate: ExchangeRate,
    /// Who is paid.
    pub beneficiary: Beneficiary,
    /// What for.
    pub purpose: TransferPurpose,
}

/// What a provider says arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remittance {
    /// The amount and its currency.
    pub credited: DestinationAmount,
}

impl Fulfilment {
    /// What arrived abroad; `None` of any other family.
    pub const fn remittance(&self) -> Option<&Remittance> {
        if let Self::International(remittance) = self {
            Some(remittance)
        } else {
            None
        }
    }
}

impl FamilyOrder for InternationalOrder {
    /// As at banks: money that arrived in an account cannot be fetched back.
    const ABSENCE: AbsenceEnds = AbsenceEnds::Search;

    /// The beneficiary.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::International
    }

    fn amount(&self) -> Money {
        self.source
    }

    fn narration(&self) -> String {
        let number = self.beneficiary.account.number();
        // Of a short number no more than its half.
        let shown = number.len().min(8) / 2;
        let last = number.get(number.len().saturating_sub(shown)..);
        format!(
            "International transfer {} {} ******{}",
            self.destination.currency().code(),
            self.destination,
            last.unwrap_or_default()
        )
    }

    fn digits(&self) -> &str {
        self.beneficiary.account.number()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    fn quoted_by(&self) -> Option<&ProviderId> {
        Some(&self.quoted_by)
    }

    fn send_before(&self) -> Option<Timestamp> {
        Some(self.quote_ends)
    }

    fn is_exact(&self) -> bool {
        self.rate.relates(self.source, self.destination)
            && self.beneficiary.account.is_of(self.country)
    }

    fn agrees_with(&self, fulfilment: &Fulfilment) -> bool {
        let remittance = fulfilment.remittance();
        remittance.is_none_or(|remittance| remittance.credited == self.destination)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        let credited = self.destination;
        Some(Fulfilment::International(Remittance { credited }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purpose_is_read_back_from_its_word() {
        for purpose in TransferPurpose::ALL {
            assert_eq!(TransferPurpose::from_code(purpose.code()), Some(purpose));
        }
        assert_eq!(TransferPurpose::from_code("other"), None);
    }
}
