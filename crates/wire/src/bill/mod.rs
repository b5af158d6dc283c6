//! Bills of every category: billers, customers, plans and payments, one file per operation. It must
//! not name a category: what differs between them is their data.

pub mod pay;
pub mod plans;
pub mod providers;
mod transaction;
pub mod validation;

use crate::attribute::{Accepts, Attribute, PHONE};
use crate::family::{FamilyView, LookupMessages};
use crate::labelled;
use crate::reader::{FieldReader, InvalidField};
use crate::service_code::ServiceCode;
use crate::tree::Object;
use crate::zone::Zone;
use domain::bill::{
    BillCategory, BillNumber, BillNumberKind, BillOrder, BillQuery, FieldDefinition,
};
use domain::labelled_value::LabelledValue;
use domain::order::Service;
use domain::subscription::BillerCode;
use domain::transaction::Transaction;

impl FamilyView for BillOrder {
    const NAME: &'static str = "Bill";

    const PATH: &'static str = "/payment";

    const UNKNOWN_BILLER: &'static str =
        "is unknown; the providers of the same path lists those there are";

    const UNKNOWN_PLAN: &'static str =
        "is no plan of this provider; the plans of the same path lists those it has";

    const LOOKUP: LookupMessages = LookupMessages {
        unknown: "is unknown to the provider; check number, provider and the other attributes",
        unreachable: "The provider cannot be reached.",
        unusable: "The provider gave no usable answer.",
        unchecked: "the customer could not be checked and nothing was done; try again later",
    };

    fn customer(service: Service) -> Attribute {
        category(service).map_or(PHONE, number)
    }

    fn name(service: Service) -> &'static str {
        category(service).map_or(Self::NAME, |category| category.definition().name)
    }

    fn path(service: Service) -> &'static str {
        category(service).map_or(Self::PATH, |category| category.definition().paths.payment)
    }

    fn answer(&self, transaction: &Transaction, zone: &Zone) -> Object {
        pay::view(transaction, self, zone)
    }

    fn report(&self, transaction: &Transaction, zone: &Zone) -> Object {
        transaction::view(transaction, self, zone)
    }
}

fn category(service: Service) -> Option<BillCategory> {
    BillCategory::all().find(|category| Service::Bill(*category) == service)
}

/// The attribute that carries the number of a category's customers.
pub const fn number(category: BillCategory) -> Attribute {
    let service = match category.definition().number.kind {
        BillNumberKind::Meter => ServiceCode::MeterNumber,
        BillNumberKind::Smartcard => ServiceCode::SmartcardNumber,
        BillNumberKind::Phone => ServiceCode::PhoneNumber,
    };
    Attribute {
        name: "number",
        accepts: Accepts::NumberOrText,
        service: Some(service),
    }
}

/// The attribute of a field that a category asks for.
pub const fn field(definition: &'static FieldDefinition) -> Attribute {
    Attribute {
        name: definition.name,
        accepts: Accepts::NumberOrText,
        service: None,
    }
}

/// A customer as a request names them, every value read before the first violation ends it.
struct ReadCustomer {
    biller: Result<BillerCode, InvalidField>,
    number: Result<BillNumber, InvalidField>,
    fields: Vec<Result<Option<LabelledValue>, InvalidField>>,
}

fn read_customer(reader: &mut FieldReader<'_>, category: BillCategory) -> ReadCustomer {
    let definition = category.definition();
    ReadCustomer {
        biller: reader.provider(),
        number: reader.required(&number(category), |text| BillNumber::parse(category, text)),
        fields: definition
            .fields
            .iter()
            .map(|field| read_field(reader, field))
            .collect(),
    }
}

fn read_field(
    reader: &mut FieldReader<'_>,
    definition: &'static FieldDefinition,
) -> Result<Option<LabelledValue>, InvalidField> {
    let attribute = field(definition);
    let parse = |text: &str| {
        let fits = definition.shape.accepts(text).then(|| LabelledValue {
            name: definition.name.to_owned(),
            label: definition.label.to_owned(),
            value: text.to_owned(),
        });
        fits.ok_or_else(|| format!("must match {}", definition.shape.pattern()))
    };
    if definition.required {
        reader.required(&attribute, parse).map(Some)
    } else {
        reader.optional(&attribute, parse)
    }
}

impl ReadCustomer {
    fn query(self, category: BillCategory) -> Result<BillQuery, InvalidField> {
        let fields: Result<Vec<_>, _> = self.fields.into_iter().collect();
        Ok(BillQuery {
            category,
            biller: self.biller?,
            number: self.number?,
            fields: fields?.into_iter().flatten().collect(),
        })
    }
}

/// What was asked for beside the number, as it was frozen, where the category asks for more.
fn parameters(category: BillCategory, fields: &[LabelledValue]) -> Object {
    if category.definition().fields.is_empty() {
        return Object::new();
    }
    Object::new().with("parameters", labelled::list("parameter", fields))
}
