//! Lookups that are sold by name. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, Sample, StateCheck, in_every_state, sample};
use domain::paid_lookup::{
    LookupCategory, LookupDefinition, LookupMiss, LookupTexts, ParameterTexts,
};
use domain::provider::{QueryOutcome, Refusal, RefusalKind};
use domain::statement::Sort;
use testkit::builders::{self, START, advance, finding, naira, pending};
use wire::attribute::{CONSENT, COUNTRY, LOOKUP_CODE, LOOKUP_PARAMETERS, PHONE, REFERENCE};
use wire::listing::Listing;
use wire::page::{LENGTH_MAX, Paging};
use wire::paid_lookup::list::{self, ListedLookup, LookupsQuery};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "lookup",
        name: "Lookups by name",
        about: "Records about a number, which providers sell by name: since when a SIM is in use, \
                where a number was ported, whether a company is registered.",
        operations: vec![list(), look_up()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of(
        "LookupEvent",
        "lookup",
        [record(), builders::company_lookup()],
    )
}

fn record() -> builders::PurchaseBuilder {
    builders::paid_lookup(LookupCategory::Record)
}

fn list() -> Operation {
    Operation::get(
        "/vas/lookups",
        "listLookups",
        "List the lookups that are sold",
    )
    .detailed(
        "Which there are, what each asks for and what one costs you. The catalogue of the \
             gateway names them, and they change: read this list, keep no copy.",
    )
    .takes([optional(&COUNTRY).such_as("566")])
    .in_parts(&["lkpName", "lkpCode"])
    .lists("Lookups", vec![all()])
}

fn all() -> Sample {
    let query = LookupsQuery {
        country: None,
        paging: Paging {
            offset: 0,
            length: LENGTH_MAX,
            order: None,
            sort: Sort::Ascending,
        },
    };
    let lookups = vec![ListedLookup {
        definition: identity_record(),
        price: naira("75.00"),
        available: true,
    }];
    let fields = list::view(&Listing::whole(lookups), &query);
    sample("lookups", "The lookups.", fields)
}

/// A lookup of the catalogue that has parameters.
fn identity_record() -> LookupDefinition {
    let texts = LookupTexts {
        code: "identity-record",
        name: "Identity record",
        about: "Whether an identity number belongs to a person of a name and a day of birth.",
        country: "566",
        number_label: "National identity number",
        number_form: "digits 11",
        needs_consent: true,
    };
    let parameter = |name, label, form, required| ParameterTexts {
        name,
        label,
        form,
        required,
    };
    let parameters = [
        parameter("surname", "Surname", "text 60", true),
        parameter("birthDate", "Day of birth", "date", false),
    ];
    LookupDefinition::read(LookupCategory::Record, &texts, &parameters).expect("a definition")
}

fn look_up() -> Operation {
    Operation::get(
        "/vas/lookup",
        "lookUpRecord",
        "Look a number up by the name of a lookup",
    )
    .detailed(
        "A lookup is charged once per `mrcReference`, however often it is asked for with the \
             same attributes; without one, every request is a new lookup and is charged. One \
             about a person (`needsConsent` in the list) is answered 403 without `cnsReference`, \
             your reference of the record that the person agreed; the gateway keeps it with the \
             lookup and sends it to the provider. Where nothing is found the answer is 200 too: \
             `txnStatus` is Failed, `lkpStatus` says why, `results` is empty and `price` is \
             0.00. A reference alone asks for the report of an earlier lookup. Lists of \
             transactions and statements show neither the number nor what was found.",
    )
    .takes_as(
        "A lookup about a person",
        [
            required(&LOOKUP_CODE, "identity-record"),
            required(&PHONE, "12345678901"),
            optional(&LOOKUP_PARAMETERS).such_as("surname:Okafor;birthDate:14-03-1990"),
            required(&CONSENT, "consent-2026-1"),
            optional(&REFERENCE).such_as("record-1001"),
        ],
    )
    .takes_as(
        "A lookup about anything else",
        [
            required(&LOOKUP_CODE, "company-record"),
            required(&PHONE, "RC123456"),
            optional(&LOOKUP_PARAMETERS),
            optional(&CONSENT),
            optional(&REFERENCE).such_as("record-1002"),
        ],
    )
    .takes_as("An earlier lookup", [required(&REFERENCE, "record-1001")])
    .pays("Lookup", states(record(), LookupMiss::NoRecord))
    .answers("Lookup", vec![company()])
    .refused(&[403, 404, 409, 422])
}

/// A lookup in every state, and those that found nothing.
pub(super) fn states(made: builders::PurchaseBuilder, miss: LookupMiss) -> Vec<StateCheck> {
    let opened = made.clone().transaction();
    let waiting = advance(&opened, &pending(&opened), START).transaction;
    let missed = QueryOutcome::Declined(Refusal {
        kind: RefusalKind::Order,
        code: miss.code().to_owned(),
        reason: "nothing was found".to_owned(),
    });
    let missed = advance(&waiting, &finding(&waiting, missed), START).transaction;
    let mut states = in_every_state(made);
    states.push(StateCheck::of(miss.code(), missed));
    states
}

fn company() -> Sample {
    let bought = builders::company_lookup().transaction();
    let zone = crate::states::lagos();
    let fields = wire::transaction::answer(&bought, &zone);
    sample(
        "of no person",
        "The transaction is being processed.",
        fields,
    )
    .unseen()
}
