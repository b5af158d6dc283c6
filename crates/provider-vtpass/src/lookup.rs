//! Meters and smartcards as the billers know them. What a biller does not report must not be made
//! up: where our records have no place for "unknown", the smallest claim stands.

use crate::fields::AnswerFields;
use crate::provider::VtpassProvider;
use async_trait::async_trait;
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::electricity::{DiscoCode, Meter, MeterNumber, Tariff};
use domain::money::{Currency, Money};
use domain::phone::PhoneNumber;
use domain::subscription::BillerCode;
use domain::time::Timestamp;
use jiff::civil;
use jiff::tz::offset;
use ports::provider::{LookupFailure, Meters, Smartcards};
use serde::Serialize;

const NOTHING: Money = Money::zero(Currency::Ngn);

/// No limit that the gateway could not hold exactly.
const NO_LIMIT: Money = Money::from_minor(Money::MAX_MINOR, Currency::Ngn);

#[derive(Serialize)]
struct VerifyDocument<'a> {
    #[serde(rename = "serviceID")]
    service: &'a str,
    #[serde(rename = "billersCode")]
    billers_code: &'a str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
}

impl VtpassProvider {
    /// What a biller says of a customer.
    async fn verify(&self, document: VerifyDocument<'_>) -> Result<AnswerFields, LookupFailure> {
        let answer = self.question("merchant-verify", &document).await;
        let answer = answer.ok_or(LookupFailure::Unreachable)?;
        if answer.unexpected_status().is_some() {
            return Err(LookupFailure::Unreachable);
        }
        let top = AnswerFields::read(&answer.body).ok_or(LookupFailure::Unusable)?;
        match top.text("code").as_deref() {
            Some("000" | "020") => {}
            Some("030") => return Err(LookupFailure::Unreachable),
            Some(_) | None => return Err(LookupFailure::Unusable),
        }
        let content = top.object("content").ok_or(LookupFailure::Unusable)?;
        // A wrong number is answered as processed.
        let is_wrong = content.text("WrongBillersCode").as_deref() == Some("true");
        if is_wrong || content.text("error").is_some() {
            return Err(LookupFailure::Unknown);
        }
        Ok(content)
    }
}

/// A number of the answer must be the one that was asked for.
fn is_about(content: &AnswerFields, names: &[&str], digits: &str) -> bool {
    let echoed = content.first(names);
    echoed.is_none_or(|echoed| echoed.trim_start_matches('0') == digits.trim_start_matches('0'))
}

#[async_trait]
impl Meters for VtpassProvider {
    async fn meter(
        &self,
        disco: &DiscoCode,
        number: &MeterNumber,
        billing: Billing,
    ) -> Result<Meter, LookupFailure> {
        let entry = self.services.electricity(disco);
        let entry = entry.ok_or(LookupFailure::Unknown)?;
        let content = self
            .verify(VerifyDocument {
                service: &entry.service,
                billers_code: number.digits(),
                kind: Some(billing.code()),
            })
            .await?;
        if !is_about(&content, &["Meter_Number", "MeterNumber"], number.digits()) {
            return Err(LookupFailure::Unusable);
        }
        let owner = content.text("Customer_Name");
        let maximum = content.naira(&["Max_Purchase_Amount", "Maximum_Amount"]);
        Ok(Meter {
            disco: disco.clone(),
            brandname: entry.brandname.clone(),
            number: number.clone(),
            owner: owner.ok_or(LookupFailure::Unusable)?,
            address: content.text("Address").unwrap_or_default(),
            billing,
            debt: content.naira(&["Customer_Arrears"]),
            minimum: content
                .naira(&["Minimum_Amount", "Min_Purchase_Amount"])
                .unwrap_or(NOTHING),
            maximum: maximum
                .filter(|most| most.is_positive())
                .unwrap_or(NO_LIMIT),
            last_purchase: None,
            last_paid: None,
            tariff: Tariff {
                band: content.text("Tariff").unwrap_or_default(),
                // What a kilowatt-hour costs is not part of this interface.
                rate: None,
            },
        })
    }
}

#[async_trait]
impl Smartcards for VtpassProvider {
    async fn smartcard(
        &self,
        provider: &BillerCode,
        number: &SmartcardNumber,
    ) -> Result<Smartcard, LookupFailure> {
        let entry = self.services.cabletv(provider);
        let entry = entry.ok_or(LookupFailure::Unknown)?;
        let content = self
            .verify(VerifyDocument {
                service: &entry.service,
                billers_code: number.digits(),
                kind: None,
            })
            .await?;
        let name = content.text("Customer_Name");
        let telephone = content.text("Customer_Phone");
        let due = content.text("Due_Date");
        Ok(Smartcard {
            provider: provider.clone(),
            brandname: entry.brandname.clone(),
            number: number.clone(),
            customer_type: content.text("Customer_Type"),
            customer_name: name.ok_or(LookupFailure::Unusable)?,
            customer_address: content.text("Address"),
            customer_number: telephone.and_then(|text| PhoneNumber::parse(&text).ok()),
            // The answer names the bouquet in words, and our plans have identities.
            plan: None,
            due_at: due.and_then(|due| moment(&due)),
            status: content.text("Status").unwrap_or_default(),
            balance: NOTHING,
        })
    }
}

/// A date, with or without a time, in Lagos.
fn moment(text: &str) -> Option<Timestamp> {
    let at: civil::DateTime = text.trim_end_matches('Z').parse().ok()?;
    let at = offset(1).to_timestamp(at).ok()?;
    Some(Timestamp::from_millis(at.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_with_or_without_a_time() {
        let at = Timestamp::from_millis(1_738_796_400_000);
        for text in ["2025-02-06", "2025-02-06T00:00:00", "2025-02-06 00:00:00"] {
            assert_eq!(moment(text), Some(at), "{text}");
        }
        for text in ["", "06/02/2025", "soon"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
