//! Random transfers abroad. Their amounts are one another's at their rate.

use super::{money, words};
use domain::country::CountryCode;
use domain::international::{
    Beneficiary, BeneficiaryAccount, BeneficiaryName, Bic, DestinationCurrency, ExchangeRate,
    ForeignAccountNumber, Iban, InternationalOrder, PostalAddress, ProviderQuoteId,
    TransferPurpose,
};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use proptest::prelude::*;

/// A transfer abroad, to an IBAN or to a number at a bank.
pub fn international_orders() -> impl Strategy<Value = InternationalOrder> {
    let ends = 0_i64..4_000_000_000_000;
    let quote = ("[a-z]{1,12}", "[!-~]{1,40}", ends, rates(), money());
    let beneficiary = (accounts(), "[A-Za-z][A-Za-z ]{0,40}[a-z]", words());
    let purpose = proptest::sample::select(TransferPurpose::ALL.to_vec());
    (quote, beneficiary, purpose).prop_filter_map(
        "an amount that arrives",
        |((provider, quote, ends, (rate, currency), source), beneficiary, purpose)| {
            let ((country, account), name, address) = beneficiary;
            Some(InternationalOrder {
                quoted_by: ProviderId::parse(&provider).ok()?,
                quote: ProviderQuoteId::parse(&quote).ok()?,
                quote_ends: Timestamp::from_millis(ends),
                country,
                source,
                destination: rate.buys(source, currency)?,
                rate,
                beneficiary: Beneficiary {
                    name: BeneficiaryName::parse(&name).ok()?,
                    account,
                    address: PostalAddress::parse(&format!("Street {address}")).ok()?,
                },
                purpose,
            })
        },
    )
}

fn rates() -> impl Strategy<Value = (ExchangeRate, DestinationCurrency)> {
    let currencies: Vec<_> = DestinationCurrency::all().collect();
    let rate = "[1-9][0-9]{0,2}\\.[0-9]{1,8}";
    (rate, proptest::sample::select(currencies)).prop_map(|(rate, currency)| {
        let rate = ExchangeRate::parse(&rate).expect("a rate");
        (rate, currency)
    })
}

fn accounts() -> impl Strategy<Value = (CountryCode, BeneficiaryAccount)> {
    let country = |code| CountryCode::parse(code).expect("a country");
    let at_bank = "[A-Za-z0-9]{4,34}".prop_map(move |number| {
        let bank = Bic::parse("GCBLGHAC").expect("a BIC");
        let number = ForeignAccountNumber::parse(&number).expect("the number of an account");
        (country("288"), BeneficiaryAccount::AtBank(bank, number))
    });
    let iban = Iban::parse("DE89370400440532013000").expect("an IBAN");
    let by_iban = Just((country("276"), BeneficiaryAccount::Iban(iban)));
    prop_oneof![at_bank, by_iban]
}
