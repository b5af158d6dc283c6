//! `GET /vas/lookup`, the lookup and its report in one. It must show no status while the provider
//! may still answer.

use super::{ShownLookup, parameters, price};
use crate::attribute::{Accepts, Attribute, CONSENT, LOOKUP_CODE, PHONE, REFERENCE};
use crate::attributes::Attributes;
use crate::format;
use crate::labelled;
use crate::reader::{FieldReader, Handling};
use crate::transaction::{identity, parse_reference};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::labelled_value::LabelledValue;
use domain::paid_lookup::{
    ConsentReference, LookupCode, LookupDefinition, LookupOrder, PaidLookupQuery, ValueForm,
};
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// The request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupRequest {
    /// Looks something up.
    Lookup(Box<PaidLookupQuery>),
    /// Requests the result of an earlier lookup.
    Report(MerchantReference),
}

/// The number that a lookup is about, of whatever form.
const NUMBER: Attribute = Attribute {
    name: PHONE.name,
    accepts: Accepts::NumberOrText,
    service: None,
};

/// Reads a lookup or, where there is a reference alone, the report of one; `find` knows the lookups
/// that are sold.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    find: impl Fn(&LookupCode) -> Option<LookupDefinition>,
) -> Result<LookupRequest, Violations> {
    let has = |name| attributes.get(name).is_some();
    if has(REFERENCE.name) && !has(LOOKUP_CODE.name) && !has(NUMBER.name) {
        return parse_reference(attributes, handling).map(LookupRequest::Report);
    }
    let mut reader = FieldReader::new(attributes, handling);
    let unknown = "is no lookup that is sold; GET /vas/lookups lists those there are";
    let definition = reader.required(&LOOKUP_CODE, |text| {
        let known = LookupCode::parse(text).ok().and_then(|code| find(&code));
        known.ok_or(unknown)
    });
    let form = definition.as_ref().ok().map(|it| it.number.form);
    let number = match form {
        Some(ValueForm::Phone) => reader.phone().map(|number| number.digits().to_owned()),
        Some(form) => reader.required(&NUMBER, |text| {
            let fits = form.read(text);
            fits.ok_or_else(|| form.requirement())
        }),
        None => reader.required(&NUMBER, |text| Ok::<_, String>(text.to_owned())),
    };
    let values = parameters::read(&mut reader, definition.as_ref().ok());
    let consent = reader.optional(&CONSENT, ConsentReference::parse);
    let reference = reader.optional(&REFERENCE, MerchantReference::parse);
    reader.finish(|| {
        Ok(LookupRequest::Lookup(Box::new(PaidLookupQuery {
            reference: reference?,
            definition: definition?,
            number: number?,
            values: values?,
            consent: consent?,
        })))
    })
}

/// A lookup with what it found.
pub(super) fn view(transaction: &Transaction, order: &LookupOrder, zone: &Zone) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    let outcome = ShownLookup::of(transaction, order);
    let price = price(transaction);
    let found: &[LabelledValue] = outcome.findings().map_or(&[], |it| &it.values);
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("lkpCode", order.code.as_str())
        .with("lkpName", order.name.as_str())
        .with("countryCode", order.country.to_string())
        .with("number", order.number.as_str())
        .with("parameters", labelled::list("parameter", &order.values))
        .with(
            "cnsReference",
            order.consent.as_ref().map(ConsentReference::as_str),
        )
        .with("lkpStatus", outcome.word())
        .with("results", labelled::list("result", found))
        .with("price", price)
        .with("currency", price.currency().code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, in_every_state, lagos, query};
    use crate::transaction::{answer, report};
    use domain::paid_lookup::{LookupCategory, LookupTexts, ParameterTexts};
    use testkit::builders::{company_lookup, lookup_definition, paid_lookup};

    fn identity_record() -> LookupDefinition {
        let texts = LookupTexts {
            code: "identity-record",
            name: "Identity record",
            about: "Whether a number is of a person.",
            country: "566",
            number_label: "Identity number",
            number_form: "digits 11",
            needs_consent: true,
        };
        let parameter = |name, form, required| ParameterTexts {
            name,
            label: name,
            form,
            required,
        };
        let parameters = [
            parameter("surname", "text 60", true),
            parameter("birthDate", "date", false),
        ];
        LookupDefinition::read(LookupCategory::Record, &texts, &parameters).unwrap()
    }

    fn read(text: &str) -> Result<LookupRequest, Violations> {
        parse(&query(text), Handling::Strict, |code| match code.as_str() {
            "sim-age" => Some(lookup_definition(LookupCategory::Record)),
            "identity-record" => Some(identity_record()),
            _ => None,
        })
    }

    #[test]
    fn a_lookup_is_read_by_its_definition() {
        let sim = read("lkpCode=sim-age&number=%2B2348031234567&cnsReference=c-1");
        let Ok(LookupRequest::Lookup(sim)) = sim else {
            panic!("{sim:?}");
        };
        assert_eq!(sim.number, "2348031234567");
        assert_eq!(sim.consent.unwrap().as_str(), "c-1");
        let person = read(
            "lkpCode=identity-record&number=01234567890&mrcReference=look-1\
             &parameters=surname:Okafor: Jr.;birthDate:14-03-1990",
        );
        let Ok(LookupRequest::Lookup(person)) = person else {
            panic!("{person:?}");
        };
        let values: Vec<_> = person.values.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(values, ["Okafor: Jr.", "14-03-1990"]);
        let earlier = read("mrcReference=look-1");
        assert!(
            matches!(earlier, Ok(LookupRequest::Report(_))),
            "{earlier:?}"
        );
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        for wrong in [
            "",
            "lkpCode=unknown&number=1&parameters=x",
            "lkpCode=sim-age&number=0803&cnsReference=a%20b&mrcReference=",
            "lkpCode=sim-age&number=2348031234567&parameters=surname:A;days:x;days:1",
            "lkpCode=identity-record&number=0123",
            "lkpCode=identity-record&number=01234567890&parameters=birthDate:31-02-1990",
            "lkpCode=sim-age&number=2348031234567&days=1",
        ] {
            insta::assert_snapshot!(faults(read(wrong)));
        }
    }

    #[test]
    fn a_lookup_looks_the_same_in_its_answer_and_its_report() {
        let zone = lagos();
        let opened = paid_lookup(LookupCategory::Record).transaction();
        insta::assert_snapshot!("record", in_every_state(&opened, |tx| answer(tx, &zone)));
        assert_eq!(answer(&opened, &zone), report(&opened, &zone));
        let company = company_lookup().transaction();
        insta::assert_snapshot!("company", in_every_state(&company, |tx| answer(tx, &zone)));
    }
}
