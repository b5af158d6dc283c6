//! Lookups in the protocol that are sold by name. What the provider did not find must be left out.

use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, OrderContext};
use crate::lookup::LabelledValueDocument;
use crate::moment::Moment;
use domain::country::CountryCode;
use domain::geolocation::device::GeoPoint;
use domain::labelled_value::LabelledValue;
use domain::order::Service;
use domain::paid_lookup::{
    ConsentReference, DevicePosition, LookupCategory, LookupCode, LookupDefinition, LookupFindings,
    LookupOrder, LookupTexts, ParameterTexts,
};
use domain::provider::Fulfilment;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookupOrderDocument {
    lookup: String,
    name: String,
    number: String,
    country: String,
    #[serde(default)]
    fields: Vec<LabelledValueDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    consent_reference: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookupReceiptDocument {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<LabelledValueDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<LocationDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LocationDocument {
    latitude: String,
    longitude: String,
    accuracy: u32,
    located_at: Moment,
}

/// What a lookup of a provider's catalogue asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookupOfferDocument {
    /// What it says, in a sentence.
    pub about: String,
    /// The country whose records it asks, by its number.
    pub country: String,
    /// What the number is, for people.
    pub number_label: String,
    /// Which numbers: `phone`, `digits 11`, `digits 8-11` or `code 3-12`.
    pub number_form: String,
    /// Whether it is about a person, whose consent is asked for.
    pub needs_consent: bool,
    /// What else it asks for.
    #[serde(default)]
    pub parameters: Vec<LookupParameterDocument>,
}

/// What a lookup asks for beside the number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookupParameterDocument {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// Which values: as of the number, and `date` and `text 60`.
    pub form: String,
    /// Whether it must be there.
    pub required: bool,
}

impl From<&LookupDefinition> for LookupOfferDocument {
    fn from(lookup: &LookupDefinition) -> Self {
        let parameters = lookup.parameters.iter().map(|it| LookupParameterDocument {
            name: it.name.clone(),
            label: it.label.clone(),
            form: it.form.word(),
            required: it.required,
        });
        Self {
            about: lookup.about.clone(),
            country: lookup.country.to_string(),
            number_label: lookup.number.label.clone(),
            number_form: lookup.number.form.word(),
            needs_consent: lookup.needs_consent,
            parameters: parameters.collect(),
        }
    }
}

impl LookupOfferDocument {
    /// The lookup of a code and a name.
    pub(crate) fn definition(
        &self,
        category: LookupCategory,
        (code, name): (&str, &str),
    ) -> Result<LookupDefinition, DocumentError> {
        let texts = LookupTexts {
            code,
            name,
            about: &self.about,
            country: &self.country,
            number_label: &self.number_label,
            number_form: &self.number_form,
            needs_consent: self.needs_consent,
        };
        let parameters = self.parameters.iter().map(|it| ParameterTexts {
            name: &it.name,
            label: &it.label,
            form: &it.form,
            required: it.required,
        });
        let parameters: Vec<_> = parameters.collect();
        let read = LookupDefinition::read(category, &texts, &parameters);
        read.map_err(|error| DocumentError::field("lookup", error.to_string()))
    }
}

pub(crate) struct LookupDocuments;

impl FamilyDocuments for LookupDocuments {
    type Order = LookupOrder;
    type OrderDocument = LookupOrderDocument;
    type ReceiptDocument = LookupReceiptDocument;

    fn order(order: &LookupOrder) -> LookupOrderDocument {
        LookupOrderDocument {
            lookup: order.code.to_string(),
            name: order.name.clone(),
            number: order.number.clone(),
            country: order.country.to_string(),
            fields: order.values.iter().map(Into::into).collect(),
            consent_reference: order.consent.as_ref().map(ToString::to_string),
        }
    }

    fn read_order(
        document: LookupOrderDocument,
        ordered: OrderContext,
    ) -> Result<LookupOrder, DocumentError> {
        let consent = document.consent_reference.as_deref();
        let consent = consent.map(ConsentReference::parse).transpose();
        Ok(LookupOrder {
            category: category(ordered.service)?,
            code: valid(LookupCode::parse(&document.lookup), "order.lookup")?,
            name: document.name,
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            number: document.number,
            values: document.fields.into_iter().map(Into::into).collect(),
            consent: valid(consent, "order.consentReference")?,
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<LookupReceiptDocument> {
        let findings = fulfilment.lookup_findings()?;
        Some(LookupReceiptDocument {
            fields: findings.values.iter().map(Into::into).collect(),
            location: findings.location.map(|fix| LocationDocument {
                latitude: fix.at.latitude().to_string(),
                longitude: fix.at.longitude().to_string(),
                accuracy: fix.accuracy,
                located_at: fix.located_at.into(),
            }),
        })
    }

    /// A receipt that says nothing has no details yet.
    fn read_receipt(
        document: Option<LookupReceiptDocument>,
        service: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        let values = document.fields.into_iter().map(Into::into);
        let values: Vec<LabelledValue> = values.collect();
        let location = document.location.map(|location| location.fix());
        let findings = LookupFindings {
            category: category(service)?,
            values,
            location: location.transpose()?,
        };
        if !findings.fits() {
            let reason = format!(
                "must be at most {}, of {} bytes together, with names of {} characters, labels of \
                 {} and values of {}",
                LookupFindings::VALUES_MAX,
                LookupFindings::BYTES_MAX,
                LookupFindings::NAME_LENGTH_MAX,
                LookupFindings::LABEL_LENGTH_MAX,
                LookupFindings::VALUE_LENGTH_MAX
            );
            return Err(DocumentError::field("receipt.fields", reason));
        }
        let is_known = findings.is_known();
        Ok(is_known.then_some(Fulfilment::Lookup(findings)))
    }
}

impl LocationDocument {
    fn fix(&self) -> Result<DevicePosition, DocumentError> {
        let latitude = GeoPoint::parse_latitude(&self.latitude);
        let longitude = GeoPoint::parse_longitude(&self.longitude);
        let at = GeoPoint::from_micros(
            valid(latitude, "receipt.location.latitude")?,
            valid(longitude, "receipt.location.longitude")?,
        );
        Ok(DevicePosition {
            at: word(at, "receipt.location")?,
            accuracy: self.accuracy,
            located_at: self.located_at.into(),
        })
    }
}

fn category(service: Service) -> Result<LookupCategory, DocumentError> {
    if let Service::Lookup(category) = service {
        Ok(category)
    } else {
        word(None, "service")
    }
}
