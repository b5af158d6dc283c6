//! `/booking/service`, what is below it, and `/booking/slots`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::booking::SLOTS_PERIOD_MAX;
use application::expected_version::ExpectedVersion;
use domain::booking::BookableService;
use http::StatusCode;
use wire::booking::service::{self, ServicesPart};
use wire::booking::slots;
use wire::zone::Zone;

pub(super) async fn create(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = service::parse(&call.attributes, call.handling)?;
    let made = gateway
        .create_bookable_service(&call.merchant, wanted, call.retry_key())
        .await?;
    let reply = shown(
        (StatusCode::CREATED, "The service was made."),
        &made.service,
        &call.zone(),
    );
    Ok(reply.located(service::path()).marked(made.replay))
}

pub(super) async fn change(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (number, terms, stated) = service::parse_change(&call.attributes, call.handling)?;
    let seen = ExpectedVersion {
        stated,
        only_in: call.only_in.clone(),
    };
    let changed = gateway
        .change_bookable_service(&call.merchant, (number, terms), &seen)
        .await?;
    Ok(shown(
        (StatusCode::OK, "The service was changed."),
        &changed,
        &call.zone(),
    ))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = service::parse_list(&call.attributes, call.handling)?;
    let page = collection::page_of(&paging);
    let found = gateway.bookable_services(&call.merchant, page).await?;
    let part = ServicesPart {
        services: &found.services,
        total: found.total,
    };
    let fields = service::view(part, &paging, &call.zone());
    let reply = HttpReply::success(StatusCode::OK, "The services.", fields);
    let links = service::link_header(part, &paging);
    Ok(collection::part(reply, found.total, &links))
}

pub(super) async fn slots(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let bounded = (&zone, SLOTS_PERIOD_MAX);
    let wanted = slots::parse(&call.attributes, call.handling, bounded)?;
    let (service, free) = gateway.free_slots(&call.merchant, &wanted).await?;
    let fields = slots::view(&service, &free, &zone);
    Ok(HttpReply::success(
        StatusCode::OK,
        "The free times.",
        fields,
    ))
}

/// An answer that shows a service, with its version for `If-Match`.
fn shown(
    (status, said): (StatusCode, &'static str),
    service: &BookableService,
    zone: &Zone,
) -> HttpReply {
    let reply = HttpReply::success(status, said, service::view_one(service, zone));
    reply.in_version(service.version)
}
