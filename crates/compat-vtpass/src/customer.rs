//! Meters and smartcards as `merchant-verify` shows them. It must leave out what is not known.

use crate::answer::naira;
use crate::code::ResponseCode;
use domain::billing::Billing;
use domain::cabletv::Smartcard;
use domain::electricity::Meter;
use serde_json::{Value, json};
use wire::zone;

/// A meter as its company knows it.
pub fn meter(meter: &Meter) -> Value {
    let billing = match meter.billing {
        Billing::Prepaid => "PREPAID",
        Billing::Postpaid => "POSTPAID",
    };
    found(&json!({
        "Customer_Name": meter.owner,
        "Address": meter.address,
        "Meter_Number": meter.number.digits(),
        "MeterNumber": meter.number.digits(),
        "Meter_Type": billing,
        "Customer_Arrears": meter.debt.map(naira),
        "Minimum_Amount": naira(meter.minimum),
        "Min_Purchase_Amount": naira(meter.minimum),
        "Max_Purchase_Amount": naira(meter.maximum),
        "WrongBillersCode": false,
    }))
}

/// A smartcard as its provider knows it.
pub fn smartcard(card: &Smartcard) -> Value {
    let plan = card.plan.as_ref();
    found(&json!({
        "Customer_Name": card.customer_name,
        "Status": card.status,
        "Due_Date": card.due_at.map(zone::utc),
        "Customer_Number": card.number.digits(),
        "Customer_Type": card.customer_type,
        "Current_Bouquet": plan.map(|plan| plan.name.as_str()),
        "Current_Bouquet_Code": plan.map(|plan| plan.code.as_str()),
        "Renewal_Amount": plan.map(|plan| naira(plan.amount)),
        "WrongBillersCode": false,
    }))
}

/// A number that its biller does not know. VTpass answers it as processed, with the error beside.
pub fn unknown_customer() -> Value {
    let error = "This number is not known to its biller. Please check and try again";
    found(&json!({"error": error, "WrongBillersCode": true}))
}

fn found(content: &Value) -> Value {
    json!({"code": ResponseCode::Processed.digits(), "content": content})
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders;

    #[test]
    fn a_customer_is_shown_with_what_a_client_needs_to_pay() {
        let shown = meter(&builders::meter("04123456789"));
        assert_eq!(shown["code"], "000");
        assert_eq!(shown["content"]["Meter_Number"], "04123456789");
        assert!(shown["content"]["Minimum_Amount"].is_number());
        let shown = smartcard(&builders::smartcard("0201234567"));
        assert!(shown["content"]["Renewal_Amount"].is_number());
        assert_eq!(unknown_customer()["content"]["WrongBillersCode"], true);
    }
}
