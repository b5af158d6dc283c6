//! Errors about what is frozen. They must say what lets it go on.

use super::{later, unknown};
use crate::admission::key_frozen;
use crate::reply::HttpReply;
use application::freezes::FreezeError;
use domain::freeze::{FreezeAuthority, FreezeBreach, UNFREEZES_PER_DAY_MAX};
use http::StatusCode;
use wire::attribute::KEY;
use wire::service_code::ServiceCode;

impl From<FreezeBreach> for HttpReply {
    fn from(breach: FreezeBreach) -> Self {
        let (message, remedy) = match breach {
            FreezeBreach::Everything => return later::frozen(),
            FreezeBreach::Account(FreezeAuthority::Operator) => {
                ("The account is frozen by the operator.", by_operator())
            }
            FreezeBreach::Service(_, FreezeAuthority::Operator) => {
                ("The service is frozen by the operator.", by_operator())
            }
            FreezeBreach::Account(FreezeAuthority::Merchant) => (
                "The account is frozen.",
                "nothing new is paid until it goes on, with POST /security/unfreeze and the scope \
                 account; GET /security/freeze shows why. Nothing was done"
                    .to_owned(),
            ),
            FreezeBreach::Service(service, FreezeAuthority::Merchant) => (
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

/// What lets go on what an operator froze.
fn by_operator() -> String {
    "GET /security/freeze shows why, and the operator of the gateway alone lets it go on. Nothing \
     was done"
        .to_owned()
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
            FreezeError::ByOperator => {
                let message = "It is frozen by the operator.";
                Self::request(StatusCode::FORBIDDEN, message, by_operator())
                    .about(ServiceCode::AccountId)
            }
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
