//! `/billing/subscription` and what is below it. They must leave the order to the parser of its
//! family, and show subscriptions of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::recurring::{
    ListedRun, RecurringAct, RecurringName, RecurringResult, SeenRecurring, ZonedCalendar,
};
use application::{Gateway, MessageFamily, ReplayMark};
use domain::airtime::TopUp;
use domain::phone::PhoneNumber;
use domain::recurring::{RecurringOrder, RecurringPayment, RecurringService, RecurringVersion};
use domain::sms::Message;
use http::StatusCode;
use wire::attributes::Attributes;
use wire::billing::subscription_runs::{self, RunsPart, ShownRun};
use wire::billing::subscriptions::{self, NamedSubscription, ShownSubscription, SubscriptionsPart};
use wire::violations::Violations;
use wire::zone::Zone;
use wire::{airtime, bank, bill, cabletv, card, electricity, internet, mobile_money, sms};

pub(super) async fn create(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let zone = call.zone();
    let order = |service, attributes: &_| read_order(&gateway, &call, (service, attributes));
    let wanted = subscriptions::parse(&call.attributes, (call.handling, &zone), order)?;
    let made = gateway.create_recurring(&call.merchant, &wanted, call.retry_key());
    let made = made.await?;
    let number = made.payment.terms.number;
    let reply = changed(StatusCode::CREATED, &made, &zone);
    Ok(reply.located(&subscriptions::path(number)))
}

/// Reads the order of a run as its own operation would.
fn read_order(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    (service, attributes): (RecurringService, &Attributes),
) -> Result<RecurringOrder, Violations> {
    let (handling, currency) = (call.handling, call.merchant.account.currency);
    Ok(match service {
        RecurringService::Airtime => {
            RecurringOrder::Airtime(read_top_up(gateway, call, attributes)?)
        }
        RecurringService::CableTv => {
            RecurringOrder::CableTv(cabletv::subscribe::parse(attributes, handling, currency)?)
        }
        RecurringService::Electricity => {
            RecurringOrder::Electricity(electricity::pay::parse(attributes, handling, currency)?)
        }
        RecurringService::Internet => {
            RecurringOrder::Internet(internet::subscribe::parse(attributes, handling)?)
        }
        RecurringService::Sms => RecurringOrder::Sms(read_message(gateway, call, attributes)?),
        RecurringService::Bank => {
            RecurringOrder::Bank(bank::payout::parse(attributes, handling, currency)?)
        }
        RecurringService::MobileMoney => {
            let read = mobile_money::transfer::parse(attributes, handling, currency);
            RecurringOrder::MobileMoney(read?)
        }
        RecurringService::Card => {
            RecurringOrder::Card(card::transfer::parse(attributes, handling, currency)?)
        }
        RecurringService::Bill(category) => {
            let read = bill::pay::parse(attributes, handling, (category, currency));
            RecurringOrder::Bill(read?)
        }
    })
}

fn read_top_up(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    attributes: &Attributes,
) -> Result<TopUp, Violations> {
    let asked = (call.handling, call.merchant.account.currency);
    let status = |number: &PhoneNumber, country| gateway.number_status(number, country);
    let named = |name: &str, country| gateway.named_network(name, country);
    airtime::top_up::parse(attributes, asked, status, named)
}

fn read_message(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    attributes: &Attributes,
) -> Result<Message, Violations> {
    let status = gateway.message_numbers(&call.merchant, MessageFamily::Sms);
    sms::send::parse(attributes, call.handling, status)
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = subscriptions::parse_list(&call.attributes, call.handling)?;
    let zone = call.zone();
    if let Some(only) = query.only {
        let found = gateway.recurring(&call.merchant, &name_of(only)).await?;
        return Ok(shown(StatusCode::OK, &found, &zone));
    }
    let paging = query.paging;
    let wanted = collection::page_of(&paging);
    let page = gateway.recurring_page(&call.merchant, wanted).await?;
    let all: Vec<_> = page.payments.iter().map(with_next).collect();
    let part = SubscriptionsPart {
        subscriptions: &all,
        total: page.total,
    };
    let fields = subscriptions::view(part, &paging, &zone);
    let reply = HttpReply::success(StatusCode::OK, "The subscriptions.", fields);
    let links = subscriptions::link_header(part, &paging);
    Ok(collection::part(reply, page.total, &links))
}

pub(super) async fn runs(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (name, paging) = subscription_runs::parse_runs(&call.attributes, call.handling)?;
    let wanted = collection::page_of(&paging);
    let name = name_of(name);
    let page = gateway.recurring_runs(&call.merchant, &name, wanted);
    let page = page.await?;
    let all: Vec<_> = page.runs.iter().map(shown_run).collect();
    let part = RunsPart {
        runs: &all,
        total: page.total,
    };
    let number = page.subscription.terms.number;
    let fields = subscription_runs::view_runs((number, part), &paging, &call.zone());
    let reply = HttpReply::success(StatusCode::OK, "The runs.", fields);
    let links = subscription_runs::runs_link_header(number, &paging, page.total);
    Ok(collection::part(reply, page.total, &links))
}

pub(super) async fn pause(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    change(gateway, call, RecurringAct::Pause).await
}

pub(super) async fn resume(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    change(gateway, call, RecurringAct::Resume).await
}

pub(super) async fn cancel(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    change(gateway, call, RecurringAct::Cancel).await
}

async fn change(
    gateway: Gateway,
    call: AuthenticatedRequest,
    act: RecurringAct,
) -> Result<HttpReply, HttpReply> {
    let (name, stated) = subscriptions::parse_change(&call.attributes, call.handling)?;
    let versions = |all: &Vec<u32>| {
        all.iter()
            .copied()
            .filter_map(RecurringVersion::new)
            .collect()
    };
    let seen = SeenRecurring {
        stated,
        only_in: call.only_in.as_ref().map(versions),
    };
    let name = name_of(name);
    let after = gateway.change_recurring(&call.merchant, (&name, &seen), act);
    Ok(changed(StatusCode::OK, &after.await?, &call.zone()))
}

/// An answer that shows a subscription after a request that changes it.
fn changed(status: StatusCode, result: &RecurringResult, zone: &Zone) -> HttpReply {
    match result.replay {
        ReplayMark::New => shown(status, &result.payment, zone),
        ReplayMark::Replayed => shown(StatusCode::OK, &result.payment, zone).replayed(),
    }
}

/// An answer that shows a subscription, with its version for `If-Match`.
fn shown(status: StatusCode, payment: &RecurringPayment, zone: &Zone) -> HttpReply {
    let fields = subscriptions::view_one(with_next(payment), zone);
    let reply = HttpReply::success(status, "The subscription.", fields);
    reply.in_version(payment.version.get())
}

fn with_next(payment: &RecurringPayment) -> ShownSubscription<'_> {
    ShownSubscription {
        payment,
        next: payment.next_at(&ZonedCalendar::of(&payment.terms)),
    }
}

const fn shown_run(run: &ListedRun) -> ShownRun<'_> {
    let (state, retries) = match run.recorded {
        Some(recorded) => (Some(recorded.state), recorded.retries),
        None => (None, 0),
    };
    ShownRun {
        number: run.number,
        due_at: run.due_at,
        reference: &run.reference,
        state,
        retries,
        is_open: run.is_open,
        payment: run.payment.as_ref(),
    }
}

fn name_of(named: NamedSubscription) -> RecurringName {
    match named {
        NamedSubscription::Number(number) => RecurringName::Number(number),
        NamedSubscription::Reference(reference) => RecurringName::Reference(reference),
    }
}

#[cfg(test)]
#[path = "subscription_tests.rs"]
mod tests;
