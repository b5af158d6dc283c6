//! A bill of every category, as plain as it can be. A value that a test is about must be said by
//! the test, not here.

use super::naira;
use super::purchase::PurchaseBuilder;
use domain::bill::{
    BillAccount, BillCategory, BillNumber, BillOrder, BillQuery, Biller, BoughtPlan,
};
use domain::billing::Billing;
use domain::labelled_value::LabelledValue;
use domain::order::Order;

/// A category.
pub fn bill_category(code: &str) -> BillCategory {
    BillCategory::from_code(code).expect("a category")
}

/// The first biller of a category.
pub fn biller(category: BillCategory) -> Biller {
    let first = category.definition().billers.first();
    Biller::of(category, first.expect("a biller")).expect("readable data")
}

/// A prepaid payment of 5,000.00 to the first biller of a category, ordered like
/// [`airtime`](super::airtime): with a token where the biller hands them over.
pub fn bill(category: BillCategory) -> PurchaseBuilder {
    let biller = biller(category);
    let account = bill_account(&bill_query(category, category.definition().number.example));
    PurchaseBuilder::of_product(Order::Bill(BillOrder {
        category,
        brandname: biller.brandname,
        number: account.number,
        fields: fields(category),
        customer_name: account.customer_name,
        billing: account.billing,
        debt: account.debt,
        bill_reference: account.bill_reference,
        plan: None,
        has_token: biller.unit_price.is_some(),
        biller: biller.code,
        amount: naira("5,000.00"),
        customer_phone: None,
    }))
}

/// Two periods of the first plan of a category for 7,000.00, ordered like [`bill`].
pub fn bill_plan(category: BillCategory) -> PurchaseBuilder {
    let plan = biller(category).plans.into_iter().next().expect("a plan");
    let bought = BoughtPlan {
        code: plan.code,
        name: plan.name,
        duration: 2,
    };
    bill(category).with_bill(|order| {
        order.plan = Some(bought);
        order.has_token = false;
        order.amount = naira("7,000.00");
    })
}

/// A customer of the first biller of a category.
pub fn bill_query(category: BillCategory, number: &str) -> BillQuery {
    BillQuery {
        category,
        biller: biller(category).code,
        number: BillNumber::parse(category, number).expect("a number of the category"),
        fields: fields(category),
    }
}

/// The customer as their biller knows them: they owe 1,250.50.
pub fn bill_account(query: &BillQuery) -> BillAccount {
    BillAccount {
        biller: query.biller.clone(),
        number: query.number.clone(),
        customer_name: "Adaeze Okonkwo".into(),
        customer_address: Some("14 Bode Thomas Street, Surulere, Lagos".into()),
        billing: Billing::Prepaid,
        debt: naira("1,250.50"),
        bill_reference: Some("601-00680-004711".into()),
        bill_period: Some("Period 680".into()),
        due_at: Some(super::START),
        tariff_band: Some("Domestic".into()),
    }
}

fn fields(category: BillCategory) -> Vec<LabelledValue> {
    let field = |field: &domain::bill::FieldDefinition| LabelledValue {
        name: field.name.to_owned(),
        label: field.label.to_owned(),
        value: field.example.to_owned(),
    };
    category.definition().fields.iter().map(field).collect()
}
