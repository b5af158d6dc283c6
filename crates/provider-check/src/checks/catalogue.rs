//! Rules 18 and 22 for what a provider lists of itself: each service page by page, whole or not at
//! all. It must not judge which prices are good: operators compare them.

use crate::bench::Bench;
use crate::call_reply::{CallReply, CheckStep, broken, not_applicable};
use crate::signing::Signing;
use crate::upstream::RequestSending;
use domain::order::Service;
use provider_protocol::{CatalogueDocument, Feature, OfferListReading, read};

/// Every page of every service can be read, and together they are one list.
pub(crate) async fn well_formed(bench: &Bench) -> CheckStep {
    offered(bench)?;
    let sold = &bench.promised()?.services;
    for service in sold.keys().filter_map(|code| Service::from_code(code)) {
        let mut reading = OfferListReading::default();
        loop {
            let after = reading.after();
            let code = service.code();
            let reply = page(bench, code, after).await;
            let answer = reply.answer.as_ref().ok().filter(|it| it.status == 200);
            let Some(answer) = answer else {
                return broken(format!(
                    "the catalogue of {code} from {after} on was answered with {}",
                    reply.said()
                ));
            };
            let page = read::<CatalogueDocument>(&answer.body);
            match page.and_then(|page| reading.add(&page, service)) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    return broken(format!("the catalogue of {code} from {after} on: {error}"));
                }
            }
        }
    }
    Ok(())
}

/// Nothing is listed of what is not sold: a reader that takes such a list for one of another
/// service compares the wrong prices.
pub(crate) async fn of_what_is_sold(bench: &Bench) -> CheckStep {
    offered(bench)?;
    let reply = page(bench, "no-such-service", 0).await;
    match reply.status() {
        Some(404) => Ok(()),
        Some(_) | None => broken(format!(
            "the catalogue of a service that there is not was answered with {}",
            reply.said()
        )),
    }
}

fn offered(bench: &Bench) -> CheckStep {
    if bench.promised()?.offers(Feature::Catalogue) {
        return Ok(());
    }
    not_applicable("`features` lacks `catalogue`")
}

async fn page(bench: &Bench, service: &str, after: u64) -> CallReply {
    let path = format!("/catalogue/{service}?after={after}");
    let request = bench.signed(("GET", &path, b""), Signing::RIGHT);
    bench
        .send(&request, None, (RequestSending::Whole, true))
        .await
}
