//! Quotes that transfers abroad go by. The place of a quote in an order is taken by one of the
//! server and account that the order is sent to; several transfers may go by one quote.

use crate::merchant::{TestMerchant, try_send};
use crate::orders::{QUOTE, QUOTE_TO_GERMANY};
use crate::patience::Deadline;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// How long a quote is used: half as long as the sandbox honours it.
const USED_FOR: Duration = Duration::from_mins(14);

/// Quotes by the credentials and the address they were given to.
static GIVEN: LazyLock<Mutex<HashMap<String, (Deadline, String)>>> = LazyLock::new(Mutex::default);

/// A body in which a quote has taken its place.
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
        // A server that was killed gives none, and takes no order either.
        match quote(merchant, to) {
            Some(quote) => body.replace(place, &quote),
            None => body,
        }
    })
}

fn quote(merchant: &TestMerchant, to: (u16, &str, &str)) -> Option<String> {
    let place = merchant.place();
    let here = format!("{place} {}", to.1);
    let mut given = GIVEN.lock().unwrap();
    let known = |given: &HashMap<String, (Deadline, String)>, asker: &str| {
        let known = given.get(asker).filter(|(until, _)| !until.is_over());
        known.map(|(_, quote)| quote.clone())
    };
    // A server that was started again honours the quotes of the one before.
    let anywhere = place
        .split_once(' ')
        .map(|(_, who)| format!("{who} {}", to.1));
    let anywhere = anywhere.expect("an address and credentials");
    if let Some(quote) = known(&given, &here) {
        return Some(quote);
    }
    let Some(quote) = ask(merchant, to) else {
        return known(&given, &anywhere);
    };
    for asker in [here, anywhere] {
        given.insert(asker, (Deadline::after(USED_FOR), quote.clone()));
    }
    Some(quote)
}

/// Requests are built outside of any runtime, so the quote is asked for on a thread of its own.
fn ask(merchant: &TestMerchant, (country, currency, amount): (u16, &str, &str)) -> Option<String> {
    let asked = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let body = json!({
                "countryCode": country, "dstCurrency": currency, "srcAmount": amount,
            });
            let asked = merchant
                .afresh()
                .request(Method::POST, "/transfer/international/quote")
                .header(CONTENT_TYPE, "application/json")
                .body(body.to_string());
            let answer = try_send(asked).await.ok()?;
            (answer.status == 200).then(|| answer.text("qteIdentifier"))
        })
    };
    std::thread::scope(|scope| scope.spawn(asked).join().expect("an answer or none"))
}
