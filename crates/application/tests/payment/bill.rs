//! Bills: what the order holds of what the merchant sent.

use super::support::request::once;
use super::support::{World, merchant};
use domain::bill::{BillPayment, RequestedBill};
use domain::order::Order;
use domain::phone::PhoneNumber;
use testkit::builders::{bill_category, bill_query, naira, phone, reference};

#[tokio::test]
async fn the_telephone_of_the_customer_is_handed_to_the_provider() {
    for given in [None, Some(phone("2348031234567"))] {
        let world = World::new().await;
        let category = bill_category("water");
        let command = BillPayment {
            reference: reference("order-1"),
            customer: bill_query(category, category.definition().number.example),
            requested: RequestedBill::Amount(naira("5,000.00")),
            bill_reference: None,
            customer_phone: given.clone(),
        };
        let gateway = world.gateway();
        let paid = gateway.pay_bill(&merchant("shop"), once(command)).await;
        paid.unwrap();
        let sent = world.provider.submissions();
        let Order::Bill(order) = &sent[0].order else {
            panic!("{:?}", sent[0].order);
        };
        let shown = order.customer_phone.as_ref().map(PhoneNumber::digits);
        assert_eq!(shown, given.as_ref().map(PhoneNumber::digits));
        assert_eq!(world.stored("order-1").await.order, sent[0].order);
        world.is_right().await;
    }
}
