//! Bills of every category, described from the category's data. It must not document what no sample
//! shows.

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{EventSchema, Sample, StateCheck, in_every_state, lagos, sample};
use domain::bill::{BillCategory, BillPlan, Biller, FieldDefinition};
use domain::country::CountryCode;
use domain::money::Money;
use domain::statement::Sort;
use testkit::builders::{self, bill_account, bill_query, naira};
use wire::attribute::{
    AMOUNT, BILL_REFERENCE, COUNTRY, CUSTOMER_PHONE, DURATION, PLAN, PROVIDER, PROVIDER_IDENTIFIER,
    REFERENCE,
};
use wire::bill::{self, plans, providers, validation};
use wire::listing::{Listing, OrderWord};
use wire::page::{LENGTH_MAX, Paging};

/// One family for each category.
pub(super) fn families() -> impl Iterator<Item = OperationFamily> {
    BillCategory::all().map(family)
}

/// The events of the transactions of each category.
pub(super) fn events() -> impl Iterator<Item = EventSchema> {
    BillCategory::all().map(event)
}

fn event(category: BillCategory) -> EventSchema {
    let plan = category.has_plans().then(|| builders::bill_plan(category));
    let purchases = [builders::bill(category)].into_iter().chain(plan);
    EventSchema::of(named("", category, "Event"), category.code(), purchases)
}

fn family(category: BillCategory) -> OperationFamily {
    let definition = category.definition();
    let mut operations = vec![list(category), validate(category)];
    if category.has_plans() {
        operations.push(list_plans(category));
    }
    operations.extend([
        list_transactions(category),
        pay(category),
        transaction(category),
    ]);
    OperationFamily {
        stem: definition.code,
        name: definition.name,
        about: definition.about,
        operations,
    }
}

/// A name that is made from the category's: there are few, and they live as long as the program.
fn named(before: &str, category: BillCategory, after: &str) -> &'static str {
    let mut letters = category.code().chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let word: String = first.into_iter().chain(letters).collect();
    format!("{before}{word}{after}").leak()
}

fn list(category: BillCategory) -> Operation {
    let path = category.definition().paths.providers;
    Operation::get(path, named("list", category, "Providers"), "List providers")
        .detailed("With `identifier` the answer is that one provider.")
        .takes([required(&COUNTRY, "566"), optional(&PROVIDER_IDENTIFIER)])
        .in_parts(&["identifier", "brandname", "company"])
        .lists(
            named("", category, "Providers"),
            vec![all_providers(category)],
        )
        .answers(
            named("", category, "Provider"),
            vec![one_provider(category)],
        )
        .refused(&[404])
}

fn validate(category: BillCategory) -> Operation {
    let path = category.definition().paths.validation;
    Operation::get(path, named("validate", category, ""), "Look a customer up")
        .detailed("The smallest and the largest payment are those of this customer now.")
        .takes(customer(category))
        .answers(named("", category, "Customer"), customers(category))
        .refused(&[404, 502])
}

fn list_plans(category: BillCategory) -> Operation {
    let path = category.definition().paths.plans;
    let id = named("list", category, "Plans");
    Operation::get(path, id, "List the plans of a provider")
        .takes([required(&PROVIDER, first(category).code)])
        .in_parts(&["identifier", "name", "amount"])
        .lists(named("", category, "Plans"), vec![all_plans(category)])
        .refused(&[404])
}

fn list_transactions(category: BillCategory) -> Operation {
    let path = category.definition().paths.payment;
    Operation::get(path, named("list", category, ""), "List payments")
        .lists_transactions(named("", category, "Reports"), payments(category))
}

fn pay(category: BillCategory) -> Operation {
    let path = category.definition().paths.payment;
    let reference = || required(&REFERENCE, format!("{}-1001", category.code()).leak());
    let bill = || optional(&BILL_REFERENCE);
    let phone = || optional(&CUSTOMER_PHONE);
    let mut amount = vec![reference()];
    amount.extend(customer(category));
    amount.extend([required(&AMOUNT, "5,000.00"), bill(), phone()]);
    let described = Operation::post(path, named("pay", category, ""), "Pay")
        .pays(named("", category, "Payment"), payments(category))
        .refused(&[404, 502]);
    let Some(plan) = first(category).plans.first() else {
        let details = "The customer is looked up first, then paid for. A payment that brings a \
                       token is Successful only with it.";
        return described.detailed(details).takes(amount).by_quote();
    };
    let mut instead = vec![required(
        &REFERENCE,
        format!("{}-1002", category.code()).leak(),
    )];
    instead.extend(customer(category));
    instead.extend([
        required(&PLAN, plan.code),
        optional(&DURATION),
        bill(),
        phone(),
    ]);
    described
        .detailed(
            "The customer is looked up first, then paid for: an amount, or a plan for one period \
             or as many as `duration` says.",
        )
        .takes_as("amount", amount)
        .takes_as("plan", instead)
        .by_quote()
}

fn transaction(category: BillCategory) -> Operation {
    let path = category.definition().paths.transaction;
    let example = format!("{}-1001", category.code()).leak();
    Operation::get(path, named("report", category, ""), "Report a payment")
        .takes([required(&REFERENCE, example)])
        .reports(named("", category, "Report"), payments(category))
}

/// The attributes that name a customer.
pub(super) fn customer(category: BillCategory) -> Vec<Parameter> {
    let definition = category.definition();
    let mut parameters = vec![
        required(&PROVIDER, first(category).code),
        required(&bill::number(category), definition.number.example),
    ];
    parameters.extend(definition.fields.iter().map(field));
    parameters
}

fn field(definition: &'static FieldDefinition) -> Parameter {
    let attribute = bill::field(definition);
    if definition.required {
        required(&attribute, definition.example)
    } else {
        optional(&attribute).such_as(definition.example)
    }
}

fn first(category: BillCategory) -> &'static domain::bill::BillerDefinition {
    let billers = category.definition().billers;
    billers.first().expect("every category has a biller")
}

/// Payments of an amount are shown as examples; plans, and bills without a reference, are used for
/// the schema only.
fn payments(category: BillCategory) -> Vec<StateCheck> {
    let mut states = in_every_state(builders::bill(category));
    let bare = builders::bill(category).postpaid().with_bill(|order| {
        order.bill_reference = None;
        order.fields = Vec::new();
    });
    let mut unseen = in_every_state(bare);
    if category.has_plans() {
        unseen.extend(in_every_state(builders::bill_plan(category)));
    }
    states.extend(unseen.into_iter().map(StateCheck::unseen));
    states
}

fn customers(category: BillCategory) -> Vec<Sample> {
    let query = bill_query(category, category.definition().number.example);
    let mut bare_query = query.clone();
    bare_query.fields = Vec::new();
    let biller = builders::biller(category);
    let known = bill_account(&query);
    let bare = domain::bill::BillAccount {
        customer_address: None,
        bill_reference: None,
        bill_period: None,
        due_at: None,
        tariff_band: None,
        ..bill_account(&query)
    };
    let limits = (biller.minimum, biller.maximum);
    let shown = |query, account| validation::view((&biller, query), account, limits, &lagos());
    vec![
        sample("customer", "The customer.", shown(&query, &known)),
        sample("nothing billed", "The customer.", shown(&bare_query, &bare)).unseen(),
    ]
}

fn paging() -> Paging<OrderWord> {
    Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    }
}

fn billers(category: BillCategory) -> Vec<Biller> {
    let billers = category.definition().billers.iter();
    billers
        .filter_map(|data| Biller::of(category, data))
        .filter(|biller| biller.available)
        .collect()
}

fn all_providers(category: BillCategory) -> Sample {
    let query = providers::BillersQuery {
        category,
        country: CountryCode::NIGERIA,
        only: None,
        paging: paging(),
    };
    let fields = providers::view(&Listing::whole(billers(category)), &query);
    sample("providers", "The providers.", fields)
}

fn one_provider(category: BillCategory) -> Sample {
    let fields = providers::view_one(&builders::biller(category));
    sample("provider", "The provider.", fields)
}

fn all_plans(category: BillCategory) -> Sample {
    let biller = builders::biller(category);
    let query = plans::BillPlansQuery {
        category,
        provider: biller.code.clone(),
        paging: paging(),
    };
    let priced = |plan: &BillPlan| (plan.clone(), less_commission(plan.amount));
    let found: Vec<_> = biller.plans.iter().map(priced).collect();
    let fields = plans::view(&biller, &Listing::whole(found), &query);
    sample("plans", "The plans of the provider.", fields)
}

/// A price at 1.5 percent commission.
fn less_commission(amount: Money) -> Money {
    let commission = crate::states::terms("1.5").commission.of(amount);
    let price = commission.and_then(|commission| amount.checked_sub(commission));
    price.unwrap_or(naira("0.00"))
}
