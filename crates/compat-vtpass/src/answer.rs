//! What became of a purchase, as VTpass answers it to a purchase and to a requery alike. It must
//! show of a transaction what is stored, no more and no less.

use crate::code::{ResponseCode, outcome, transaction_word};
use domain::electricity::Vend;
use domain::money::Money;
use domain::order::Order;
use domain::reference::MerchantReference;
use domain::token::Token;
use domain::transaction::Transaction;
use serde_json::{Map, Number, Value, json};
use wire::zone;

/// The answer that shows a transaction.
pub fn transaction(transaction: &Transaction) -> Value {
    let status = transaction.status();
    let code = outcome(status);
    let (face, price) = (transaction.order.amount(), transaction.quote.price);
    let (amount, product) = (naira(face), product(&transaction.order));
    let shown = json!({
        "status": transaction_word(status),
        "transactionId": transaction.number.get().to_string(),
        "product_name": product.name,
        "type": product.category,
        "unique_element": product.customer,
        "phone": product.is_telephone.then_some(&product.customer),
        "unit_price": amount,
        "quantity": 1,
        "amount": amount,
        "total_amount": naira(price),
        "commission": beyond(face, price),
        "convinience_fee": beyond(price, face),
        "discount": null,
        "email": null,
        "name": null,
        "channel": "api",
        "platform": "api",
        "method": "api",
    });
    let mut answer = Map::from_iter([
        ("code".to_owned(), json!(code.digits())),
        ("content".to_owned(), json!({"transactions": shown})),
        ("response_description".to_owned(), json!(code.words())),
        (
            "requestId".to_owned(),
            json!(transaction.reference.as_str()),
        ),
        ("amount".to_owned(), amount),
        (
            "transaction_date".to_owned(),
            json!(zone::utc(transaction.opened_at)),
        ),
        ("purchased_code".to_owned(), json!("")),
    ]);
    if let Order::Electricity(order) = &transaction.order {
        answer.insert("customerName".to_owned(), json!(order.meter.owner));
        answer.insert("customerAddress".to_owned(), json!(order.meter.address));
        answer.insert("meterNumber".to_owned(), json!(order.meter.number.digits()));
        answer.extend(vend(transaction).map(vended).unwrap_or_default());
    }
    Value::Object(answer)
}

/// The answer about a purchase that was delivered and whose record was lost with an older database.
pub fn delivered_without_record(reference: &MerchantReference, amount: Money) -> Value {
    let code = ResponseCode::Resolved;
    json!({
        "code": code.digits(),
        "content": {"transactions": {"status": "delivered", "amount": naira(amount)}},
        "response_description": code.words(),
        "requestId": reference.as_str(),
        "amount": naira(amount),
    })
}

/// The answer to a request that came to no transaction; `why` is for people.
pub fn refused(code: ResponseCode, why: &str, request_id: Option<&str>) -> Value {
    json!({
        "code": code.digits(),
        "content": {"errors": why},
        "response_description": code.words(),
        "requestId": request_id,
    })
}

/// What was bought, in VTpass's words.
struct Product {
    name: String,
    category: &'static str,
    /// The number, card or meter, as a client names it.
    customer: String,
    is_telephone: bool,
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what VTpass does not sell has one name"
)]
fn product(order: &Order) -> Product {
    let digits = order.digits();
    let (name, category) = match order {
        Order::Airtime(order) => {
            let name = format!("{} Airtime VTU", order.network_brandname);
            (name, "Airtime Recharge")
        }
        Order::Internet(order) => (
            format!("{} {}", order.brandname, order.name),
            "Data Services",
        ),
        Order::CableTv(order) => (
            format!("{} Subscription", order.brandname),
            "TV Subscription",
        ),
        Order::Electricity(order) => (
            format!("{} Payment", order.meter.brandname),
            "Electricity Bill",
        ),
        // What VTpass does not sell, and was bought by the interface.
        _ => (order.service().code().to_owned(), "Other Services"),
    };
    let is_telephone = matches!(order, Order::Airtime(_) | Order::Internet(_));
    Product {
        name,
        category,
        customer: if is_telephone {
            local(digits)
        } else {
            digits.to_owned()
        },
        is_telephone,
    }
}

/// The form `080…` of a number in Nigeria, as purchases name it; any other with its country.
fn local(digits: &str) -> String {
    match digits.strip_prefix("234") {
        Some(rest) => format!("0{rest}"),
        None => digits.to_owned(),
    }
}

/// What one amount has beyond another, or nothing.
fn beyond(larger: Money, smaller: Money) -> Value {
    let rest = larger.checked_sub(smaller).filter(|rest| rest.minor() > 0);
    rest.map_or_else(|| json!(0), naira)
}

/// An amount as a JSON number, exact to the kobo.
pub(crate) fn naira(amount: Money) -> Value {
    let text = amount.to_string().replace(',', "");
    let whole = text.strip_suffix(".00").unwrap_or(&text);
    whole.parse::<Number>().map_or(Value::Null, Value::Number)
}

/// The biller's answer, once it is certain.
fn vend(transaction: &Transaction) -> Option<&Vend> {
    transaction.state.delivered()?.fulfilment.vend()
}

/// The token in each of the places where companies write it.
fn vended(vend: &Vend) -> Map<String, Value> {
    let mut fields = Map::from_iter([("exchangeReference".to_owned(), json!(vend.receipt))]);
    let token = vend.token.as_ref();
    if let Some(number) = token.and_then(|token| token.number.as_ref()) {
        let digits = number.digits();
        fields.insert(
            "purchased_code".to_owned(),
            json!(format!("Token : {digits}")),
        );
        fields.insert("token".to_owned(), json!(digits));
        fields.insert("mainToken".to_owned(), json!(digits));
    }
    fields.extend(token.map(measured).unwrap_or_default());
    fields
}

/// What a token is good for and what it cost, where the company says.
fn measured(token: &Token) -> Map<String, Value> {
    let units = token.units.map(|units| json!(units.to_string()));
    let cost = token.cost.map(naira);
    let named = [
        ("units", units.clone()),
        ("mainTokenUnits", units),
        ("tokenAmount", cost),
    ];
    let known = named.into_iter();
    known
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::provider::SubmitOutcome;
    use testkit::builders::{
        self, START, advance, airtime, answer, delivered, electricity, naira as money,
    };

    fn shown(tx: &Transaction) -> Value {
        super::transaction(tx)
    }

    #[test]
    fn a_purchase_is_shown_as_its_client_named_it() {
        let tx = airtime().transaction();
        let pending = shown(&tx);
        assert_eq!(pending["code"], "099");
        assert_eq!(pending["requestId"], tx.reference.as_str());
        let inner = &pending["content"]["transactions"];
        assert_eq!(inner["status"], "pending");
        let number = inner["unique_element"].as_str().unwrap();
        assert!(number.starts_with('0') && number.len() == 11, "{number}");
        let paid = shown(&advance(&tx, &delivered(&tx), START).transaction);
        assert_eq!(paid["code"], "000");
        assert_eq!(paid["content"]["transactions"]["status"], "delivered");
        let refused = answer(&tx, SubmitOutcome::Declined(builders::refusal()));
        let failed = shown(&advance(&tx, &refused, START).transaction);
        assert_eq!(failed["code"], "016");
        assert_eq!(failed["content"]["transactions"]["status"], "failed");
    }

    #[test]
    fn a_token_is_written_in_each_of_its_places() {
        let tx = electricity().transaction();
        assert_eq!(shown(&tx)["purchased_code"], "");
        assert_eq!(shown(&tx).get("token"), None);
        let paid = shown(&advance(&tx, &delivered(&tx), START).transaction);
        let token = paid["token"].as_str().unwrap();
        assert_eq!(token.len(), 20);
        assert_eq!(paid["mainToken"], token);
        assert_eq!(paid["purchased_code"], format!("Token : {token}"));
        assert_eq!(
            paid["content"]["transactions"]["unique_element"],
            paid["meterNumber"]
        );
    }

    #[test]
    fn amounts_are_numbers_without_a_rounding() {
        for (amount, number) in [
            ("100.00", "100"),
            ("1,234.50", "1234.5"),
            ("0.01", "0.01"),
            ("9,999,999,999.99", "9999999999.99"),
        ] {
            assert_eq!(naira(money(amount)).to_string(), number);
        }
        assert_eq!(beyond(money("100.00"), money("97.50")).to_string(), "2.5");
        assert_eq!(beyond(money("97.50"), money("100.00")), json!(0));
    }
}
