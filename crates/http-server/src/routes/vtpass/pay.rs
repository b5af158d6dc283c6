//! `POST pay`. It must leave every decision about the order to the application, and refuse a plan
//! of another provider than the one that `serviceID` names.

use super::reads::biller;
use super::refusal::Refusal;
use crate::reply::HttpReply;
use application::{Gateway, Merchant, PaymentResult, Purchase};
use compat_vtpass::{ResponseCode, SoldService, TranslatedPay};
use domain::internet::BundlePurchase;
use domain::retrieve::Retrieve;
use http::StatusCode;
use wire::airtime::top_up;
use wire::attributes::Attributes;
use wire::reader::Handling;
use wire::{cabletv, electricity, internet};

pub(super) async fn answer(gateway: &Gateway, merchant: &Merchant, sent: &Attributes) -> HttpReply {
    match buy(gateway, merchant, sent).await {
        Ok(paid) => {
            let body = compat_vtpass::transaction(&paid.transaction).to_string();
            HttpReply::document(StatusCode::OK, body.into())
        }
        Err(refusal) => refusal.of_purchase(gateway, merchant, sent).await,
    }
}

async fn buy(
    gateway: &Gateway,
    merchant: &Merchant,
    sent: &Attributes,
) -> Result<PaymentResult, Refusal> {
    let TranslatedPay {
        service,
        attributes,
    } = compat_vtpass::pay(sent)?;
    let (read, currency) = (Handling::Lenient, merchant.account.currency);
    let named = |violations| Refusal::violations(&violations, |name| service.name_of(name));
    let paid = match service {
        SoldService::Airtime(_) => {
            let status = |number: &_, country| gateway.number_status(number, country);
            let network = |name: &str, country| gateway.named_network(name, country);
            let command = top_up::parse(&attributes, (read, currency), status, network);
            let command = unkeyed(command.map_err(named)?);
            gateway.buy_airtime(merchant, command).await
        }
        SoldService::Internet(provider) => {
            let command = internet::subscribe::parse(&attributes, read).map_err(named)?;
            unless_sold_by(gateway, (merchant, provider), &command)?;
            gateway.buy_data(merchant, unkeyed(command)).await
        }
        SoldService::CableTv(_) => {
            let command = cabletv::subscribe::parse(&attributes, read, currency);
            let command = unkeyed(command.map_err(named)?);
            gateway.subscribe_cable(merchant, command).await
        }
        SoldService::Electricity(_) => {
            let command = electricity::pay::parse(&attributes, read, currency);
            let command = unkeyed(command.map_err(named)?);
            gateway.pay_electricity(merchant, command).await
        }
    };
    Ok(paid?)
}

/// A purchase without a retry key: VTpass answers a repeated `request_id` with a code of its own.
const fn unkeyed<C>(command: C) -> Purchase<C> {
    Purchase {
        quote: None,
        command,
        retry_key: None,
    }
}

/// Refuses a plan of another provider than the one that is named.
fn unless_sold_by(
    gateway: &Gateway,
    (merchant, provider): (&Merchant, u64),
    bundle: &BundlePurchase,
) -> Result<(), Refusal> {
    let (_, plans) = gateway.data_plans(merchant, &biller(provider)?, Retrieve::All)?;
    let is_sold = plans.found.iter().any(|it| it.plan.code == bundle.plan);
    is_sold.then_some(()).ok_or_else(|| Refusal {
        code: ResponseCode::NoSuchVariation,
        why: "variation_code is no plan of this serviceID; service-variations lists them"
            .to_owned(),
    })
}
