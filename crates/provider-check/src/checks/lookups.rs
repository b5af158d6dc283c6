//! What a provider answers about who serves a number. It must not judge which network that is: no
//! one but a register knows.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, not_applicable};
use crate::signing::Signing;
use crate::upstream::RequestSending;
use domain::country::CountryCode;
use domain::phone::PhoneNumber;
use provider_protocol::{Feature, LookupAnswer, OperatorLookup, ServedNumberDocument, read, write};

/// The number that is asked about: one of a block in Nigeria, which no one needs to have.
const NUMBER: &str = "2348031234567";

/// The answer is a listed word, and where it names a network, it is about the number.
pub(crate) async fn operator(bench: &Bench) -> CheckStep {
    if !bench.promised()?.offers(Feature::OperatorLookup) {
        return not_applicable("`features` lacks `lookup.operator`");
    }
    let Ok(number) = PhoneNumber::parse(NUMBER) else {
        return broken("the kit asks about no number");
    };
    let asked = OperatorLookup::new(&number, CountryCode::NIGERIA);
    let body = match write(&asked) {
        Ok(body) => body,
        Err(error) => return broken(format!("the kit cannot ask: {error}")),
    };
    let request = bench.signed(("POST", "/lookups/operator", &body), Signing::RIGHT);
    let reply = bench
        .send(&request, None, (RequestSending::Whole, true))
        .await;
    let answer = reply.answer.as_ref().ok().filter(|it| it.status == 200);
    let Some(answer) = answer else {
        return broken(format!("a lookup was answered with {}", reply.said()));
    };
    match read::<LookupAnswer<ServedNumberDocument>>(&answer.body) {
        Ok(LookupAnswer::Unknown | LookupAnswer::Unreachable) => Ok(()),
        Ok(LookupAnswer::Unlisted) => broken("`result` is not a listed word"),
        Ok(LookupAnswer::Found { customer }) => match customer.served_number() {
            Ok(served) if served.number == number => Ok(()),
            Ok(_) => broken("the answer is about another number than was asked for"),
            Err(error) => broken(format!("the answer to a lookup: {error}")),
        },
        Err(error) => broken(format!("the answer to a lookup: {error}")),
    }
}
