//! Who serves a number today, by Reloadly's lookup of ported numbers. It must never fall back to
//! its detection of operators, which goes by the digits and is wrong for ported numbers.

use crate::answer::{ReloadlyRefusal, read};
use crate::provider::ReloadlyProvider;
use async_trait::async_trait;
use domain::country::CountryCode;
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use ports::number_operators::NumberOperators;
use ports::provider::LookupFailure;
use serde::Deserialize;

/// The one country that is served, as it is written in paths and answers.
const NIGERIA: &str = "NG";

/// Errors that say that nothing is known of a number.
const UNKNOWN_NUMBER: [&str; 4] = [
    "COULD_NOT_AUTO_DETECT_OPERATOR",
    "INVALID_PHONE_NUMBER",
    "INVALID_RECIPIENT_PHONE",
    "OPERATOR_NOT_FOUND",
];

/// The operator of a number.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NumberOperator {
    operator_id: u64,
    #[serde(default)]
    country: Option<OperatorCountry>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OperatorCountry {
    iso_name: String,
}

#[async_trait]
impl NumberOperators for ReloadlyProvider {
    async fn served_number(
        &self,
        number: &PhoneNumber,
        country: CountryCode,
    ) -> Result<ServedNumber, LookupFailure> {
        if country != CountryCode::NIGERIA {
            return Err(LookupFailure::Unknown);
        }
        let digits = number.digits();
        let path = format!("operators/mnp-lookup/phone/{digits}/countries/{NIGERIA}");
        let answer = self.question(path).await;
        let answer = answer.ok_or(LookupFailure::Unreachable)?;
        if answer.unexpected_status().is_some() {
            return Err(refused(answer.status, &answer.body));
        }
        let found: NumberOperator = read(&answer.body).ok_or(LookupFailure::Unusable)?;
        let elsewhere = |country: &OperatorCountry| country.iso_name != NIGERIA;
        if found.country.as_ref().is_some_and(elsewhere) {
            return Err(LookupFailure::Unusable);
        }
        let Some(network) = self.settings.operators.network(found.operator_id) else {
            let operator = found.operator_id;
            tracing::info!(
                operator,
                "a number is served by an operator that is not mapped"
            );
            return Err(LookupFailure::Unknown);
        };
        Ok(ServedNumber {
            number: number.clone(),
            operator: ServingOperator::Named(network.to_owned()),
        })
    }
}

/// What an error says of the number: nothing, unless it is listed with a status of a refusal.
fn refused(status: u16, body: &[u8]) -> LookupFailure {
    let refusal: Option<ReloadlyRefusal> = read(body);
    let refusal = refusal.filter(|_| (400..500).contains(&status));
    match refusal {
        Some(refusal) if UNKNOWN_NUMBER.contains(&refusal.error_code.as_str()) => {
            LookupFailure::Unknown
        }
        // It is refused for what it is about; the account and its rate are another matter.
        Some(_) if !matches!(status, 401 | 403 | 429) => LookupFailure::Unusable,
        Some(_) | None => LookupFailure::Unreachable,
    }
}
