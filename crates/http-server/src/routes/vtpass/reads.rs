//! What VTpass lists and looks up: customers, plans, services and the balance. It must show what
//! the operations of the interface show.

use super::refusal::Refusal;
use crate::reply::HttpReply;
use application::request_error::LookupFailure;
use application::{Gateway, Merchant, RequestError};
use compat_vtpass::{InvalidRequest, PlanVariation, SoldService, TranslatedVerify};
use domain::order::Service;
use domain::retrieve::Retrieve;
use domain::subscription::BillerCode;
use http::StatusCode;
use wire::attributes::{AttributeValue, Attributes};
use wire::reader::Handling;
use wire::{cabletv, electricity};

/// `POST merchant-verify`.
pub(super) async fn verify(gateway: &Gateway, merchant: &Merchant, sent: &Attributes) -> HttpReply {
    looked_up(gateway, merchant, sent)
        .await
        .unwrap_or_else(|refusal| refusal.reply(None))
}

async fn looked_up(
    gateway: &Gateway,
    merchant: &Merchant,
    sent: &Attributes,
) -> Result<HttpReply, Refusal> {
    let found = match compat_vtpass::verify(sent)? {
        TranslatedVerify::Smartcard(attributes) => {
            let query = cabletv::smartcard::parse(&attributes, Handling::Lenient);
            let query = query.map_err(|it| Refusal::violations(&it, sent_name))?;
            let found = gateway.smartcard(merchant, &query).await;
            found.map(|card| compat_vtpass::smartcard(&card))
        }
        TranslatedVerify::Meter(attributes) => {
            let query = electricity::meter::parse(&attributes, Handling::Lenient);
            let query = query.map_err(|it| Refusal::violations(&it, sent_name))?;
            let found = gateway.meter(merchant, &query).await;
            found.map(|meter| compat_vtpass::meter(&meter))
        }
    };
    let shown = match found {
        Err(RequestError::Lookup(_, LookupFailure::Unknown)) => compat_vtpass::unknown_customer(),
        found => found?,
    };
    Ok(HttpReply::document(
        StatusCode::OK,
        shown.to_string().into(),
    ))
}

/// What VTpass calls an attribute of a lookup.
fn sent_name(attribute: &str) -> &str {
    match attribute {
        "number" => "billersCode",
        "billing" => "type",
        "provider" | "disco" => "serviceID",
        other => other,
    }
}

/// `GET service-variations`.
pub(super) fn variations(gateway: &Gateway, merchant: &Merchant, sent: &Attributes) -> HttpReply {
    listed(gateway, merchant, sent).unwrap_or_else(|refusal| refusal.reply(None))
}

fn listed(gateway: &Gateway, merchant: &Merchant, sent: &Attributes) -> Result<HttpReply, Refusal> {
    let id = named(sent, "serviceID");
    let service = compat_vtpass::sold(id).ok_or(InvalidRequest::UnknownService)?;
    let shown = match service {
        SoldService::Internet(provider) => {
            let code = biller(provider)?;
            let (_, plans) = gateway.data_plans(merchant, &code, Retrieve::Buyable)?;
            let plans = plans.found.iter().map(|priced| PlanVariation {
                code: priced.plan.code.as_str(),
                name: &priced.plan.name,
                amount: priced.plan.amount,
            });
            compat_vtpass::variations(id, plans)
        }
        SoldService::CableTv(provider) => {
            let (_, plans) = gateway.cable_plans(merchant, &biller(provider)?)?;
            let plans = plans.iter().map(|priced| PlanVariation {
                code: priced.plan.code.as_str(),
                name: &priced.plan.name,
                amount: priced.plan.amount,
            });
            compat_vtpass::variations(id, plans)
        }
        // They are bought by amount.
        SoldService::Airtime(_) | SoldService::Electricity(_) => {
            compat_vtpass::variations(id, std::iter::empty())
        }
    };
    Ok(HttpReply::document(
        StatusCode::OK,
        shown.to_string().into(),
    ))
}

/// `GET services`.
pub(super) fn services(sent: &Attributes) -> HttpReply {
    let shown = compat_vtpass::services(named(sent, "identifier"));
    HttpReply::document(StatusCode::OK, shown.to_string().into())
}

/// `GET service-categories`.
pub(super) fn categories() -> HttpReply {
    let shown = compat_vtpass::categories();
    HttpReply::document(StatusCode::OK, shown.to_string().into())
}

/// `GET balance`: what the account can spend of its currency.
pub(super) async fn balance(gateway: &Gateway, merchant: &Merchant) -> HttpReply {
    let currency = merchant.account.currency;
    let wallets = match gateway.balance(merchant).await {
        Ok(wallets) => wallets,
        Err(refused) => return Refusal::from(refused).reply(None),
    };
    let mut wallets = wallets.iter().map(|wallet| wallet.available);
    let Some(available) = wallets.find(|available| available.currency() == currency) else {
        tracing::error!(account = %merchant.account.id, "an account has no wallet");
        return HttpReply::broken();
    };
    let shown = compat_vtpass::balance(available);
    HttpReply::document(StatusCode::OK, shown.to_string().into())
}

/// The identity of a biller of ours.
pub(super) fn biller(code: u64) -> Result<BillerCode, Refusal> {
    let unknown = |_| RequestError::ProviderUnknown(Service::Internet);
    Ok(BillerCode::parse(&code.to_string()).map_err(unknown)?)
}

/// A filter of a query; empty where it is not given.
fn named<'a>(sent: &'a Attributes, name: &str) -> &'a str {
    match sent.get(name) {
        Some(AttributeValue::Text(text)) => text,
        Some(
            AttributeValue::Number(_)
            | AttributeValue::Truth(_)
            | AttributeValue::Texts(_)
            | AttributeValue::Objects(_)
            | AttributeValue::Object(_)
            | AttributeValue::Other(_),
        )
        | None => "",
    }
}
