//! Errors about what is frozen. They must say what lets it go on.

use super::unknown;
use crate::admission::key_frozen;
use crate::reply::HttpReply;
use application::freezes::FreezeError;
use domain::freeze::{FreezeBreach, UNFREEZES_PER_DAY_MAX};
use http::StatusCode;
use wire::attribute::KEY;
use wire::service_code::ServiceCode;

impl From<FreezeBreach> for HttpReply {
    fn from(breach: FreezeBreach) -> Self {
        let (message, remedy) = match breach {
            FreezeBreach::Account => (
                "The account is frozen.",
                "nothing new is paid until it goes on, with POST /security/unfreeze and the scope \
                 account; GET /security/freeze shows why. Nothing was done"
                    .to_owned(),
            ),
            FreezeBreach::Service(service) => (
                "The service is frozen.",
                format!(
                    "nothing new is bought of {0} until it goes on, with POST /security/unfreeze, \
                     the scope service and the service {0}; GET /security/freeze shows why. \
                     Nothing was done",
                    service.code()
                ),
            ),
            FreezeBreach::Unreadable => (
                "A freeze of the account is not as it was set.",
                "so nothing is paid; set it again with POST /security/freeze, and ask the operator \
                 of the gateway for an audit. Nothing was done"
                    .to_owned(),
            ),
        };
        Self::request(StatusCode::FORBIDDEN, message, remedy).about(ServiceCode::AccountId)
    }
}

impl From<FreezeError> for HttpReply {
    fn from(refused: FreezeError) -> Self {
        match refused {
            FreezeError::KeyUnknown => {
                let message = "names no key that opens your account; GET /account/permissions \
                               lists those that do";
                unknown(&KEY, message)
            }
            FreezeError::KeyFrozen => key_frozen(),
            FreezeError::TooManyToday => {
                let message = "Too many freezes were lifted.";
                let remedy = format!(
                    "an account lifts {UNFREEZES_PER_DAY_MAX} freezes within 24 hours at most; \
                     nothing was done, lift it later"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            FreezeError::Request(refused) => refused.into(),
        }
    }
}
