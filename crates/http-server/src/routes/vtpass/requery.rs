//! `POST requery`. It must not say that a purchase was never made unless that is certain, and
//! nothing else that is taken for failed but that it failed.

use super::refusal::Refusal;
use super::unknown_ids::UnknownIds;
use crate::reply::HttpReply;
use application::reference_use::ReferenceUse;
use application::{Gateway, Merchant, RequestError};
use compat_vtpass::ResponseCode;
use domain::reference::MerchantReference;
use http::StatusCode;
use wire::attributes::Attributes;

const NO_ID: &str = "request_id must be given in the body, as text";
const NEVER_USED: &str = "nothing was bought under this request_id";
const NOT_STORED: &str = "no purchase is stored under this request_id, and one may still be on its \
                          way; ask again in some minutes";
const BEING_SETTLED: &str = "a purchase under this request_id is being opened, or may have been \
                             made before the gateway's database was restored; ask later";

pub(super) async fn answer(
    (gateway, unknown): (&Gateway, &UnknownIds),
    merchant: &Merchant,
    sent: &Attributes,
) -> HttpReply {
    let id = compat_vtpass::request_id(sent);
    let Some(sent_id) = id else {
        // Which purchase is asked after is not known, so nothing may be said of it.
        return named(ResponseCode::SystemError, NO_ID).reply(None);
    };
    let Ok(reference) = MerchantReference::parse(sent_id) else {
        // Nothing can have been bought under it.
        return named(ResponseCode::InvalidRequestId, NEVER_USED).reply(id);
    };
    let shown = match gateway.reference_use(merchant, &reference).await {
        Ok(ReferenceUse::Stored(transaction)) => compat_vtpass::transaction(&transaction),
        Ok(ReferenceUse::DeliveredWithoutRecord(amount)) => {
            compat_vtpass::delivered_without_record(&reference, amount)
        }
        Ok(ReferenceUse::Unsettled) => {
            return named(ResponseCode::SystemError, BEING_SETTLED).reply(id);
        }
        Ok(ReferenceUse::NotStored) => {
            let key = (merchant.account.id.clone(), reference);
            let refusal = if unknown.is_never_used(gateway, key) {
                named(ResponseCode::InvalidRequestId, NEVER_USED)
            } else {
                named(ResponseCode::SystemError, NOT_STORED)
            };
            return refusal.reply(id);
        }
        Err(error) => return Refusal::from(RequestError::Store(error)).reply(id),
    };
    HttpReply::document(StatusCode::OK, shown.to_string().into())
}

fn named(code: ResponseCode, why: &str) -> Refusal {
    Refusal {
        code,
        why: why.to_owned(),
    }
}
