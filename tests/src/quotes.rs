//! Quotes that transfers abroad go by. The place of a quote in an order is taken by one of the
//! server and account that the order is sent to; several transfers may go by one quote.

use crate::beforehand;
use crate::merchant::TestMerchant;
use crate::orders::{QUOTE, QUOTE_TO_GERMANY};
use crate::patience::Deadline;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// How long a quote is used: half as long as the sandbox honours it.
const USED_FOR: Duration = Duration::from_mins(14);

/// Quotes by the credentials and the address they were given to.
static GIVEN: LazyLock<Mutex<HashMap<String, (Deadline, String)>>> = LazyLock::new(Mutex::default);

/// A body in which a quote has taken its place. A request that is repeated names the same one.
#[must_use]
pub(crate) fn completed(merchant: &TestMerchant, body: String) -> String {
    let places = [
        (QUOTE, (288, "GHS", "2,000.00")),
        (QUOTE_TO_GERMANY, (276, "EUR", "5,000.00")),
    ];
    places.into_iter().fold(body, |body, (place, to)| {
        if !body.contains(place) {
            return body;
        }
        let named = format!("{} {body}", merchant.credentials());
        let quote = known(&named).or_else(|| fresh(merchant, to));
        // A server that was killed gives none, and takes no order either.
        let Some(quote) = quote else {
            return body;
        };
        keep(named, &quote);
        body.replace(place, &quote)
    })
}

/// One of the server that is asked, or else of any with the same account: a server that was
/// started again honours the quotes of the one before.
fn fresh(merchant: &TestMerchant, to: (u16, &str, &str)) -> Option<String> {
    let (place, who) = (merchant.place(), merchant.credentials());
    let [here, anywhere] = [place.as_str(), who].map(|asker| format!("{asker} {}", to.1));
    if let Some(quote) = known(&here) {
        return Some(quote);
    }
    let Some(quote) = ask(merchant, to) else {
        return known(&anywhere);
    };
    keep(here, &quote);
    keep(anywhere, &quote);
    Some(quote)
}

fn known(asker: &str) -> Option<String> {
    let given = GIVEN.lock().unwrap();
    let known = given.get(asker).filter(|(until, _)| !until.is_over());
    known.map(|(_, quote)| quote.clone())
}

fn keep(asker: String, quote: &str) {
    let until = Deadline::after(USED_FOR);
    let mut given = GIVEN.lock().unwrap();
    given.insert(asker, (until, quote.to_owned()));
}

fn ask(merchant: &TestMerchant, (country, currency, amount): (u16, &str, &str)) -> Option<String> {
    let body = json!({
        "countryCode": country, "dstCurrency": currency, "srcAmount": amount,
    });
    let answer = beforehand::post(merchant, "/transfer/international/quote", &body)?;
    (answer.status == 200).then(|| answer.text("qteIdentifier"))
}
