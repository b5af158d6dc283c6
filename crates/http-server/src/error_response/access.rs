//! Errors about keys and users. A key or user of another account and one that does not exist must
//! get the same answer.

use super::allowlist::allowlist_unreadable;
use super::{conflict, invalid, unknown};
use crate::reply::HttpReply;
use application::access::{AccessKeyError, AccountUserError, KeyRefusal};
use domain::access::{
    ACCESS_KEY_NAMES_MAX, ACCESS_KEYS_PER_DAY_MAX, ACCESS_KEYS_PER_NAME_MAX, AccessScope,
    USERS_MAX, USERS_PER_DAY_MAX,
};
use http::StatusCode;
use wire::attribute::{
    ACTIVATION_CODE, Attribute, KEY, KEY_ALLOWLIST, KEY_EXPIRES, KEY_NAME, KEY_SCOPES, KEY_SIGNED,
    OVERLAP_HOURS, USER, USER_EMAIL, USER_ROLE,
};
use wire::violations::Violations;
use wire::zone::Zone;

const NO_SUCH_USER: &str = "names no user of your account; GET /account/users lists those you have";

impl HttpReply {
    /// The error of a request about keys; moments are shown in the time zone of the account.
    pub(crate) fn key_refused(refused: AccessKeyError, zone: &Zone) -> Self {
        match refused {
            AccessKeyError::Refused(all) => terms_refused(&all, zone),
            AccessKeyError::NoOverlap => {
                let mut violations = Violations::default();
                let message = "must be at least 1 for the key of the request, whose secret would \
                               end with an answer that may be lost; end it with the new key";
                violations.add(&OVERLAP_HOURS, message.to_owned());
                violations.into()
            }
            AccessKeyError::NameTaken => conflict(
                &KEY_NAME,
                "Two secrets of the name work already.",
                format!(
                    "has {ACCESS_KEYS_PER_NAME_MAX} keys that work, as many as a name may have; \
                     POST /account/keys/revoke revokes one"
                ),
            ),
            AccessKeyError::TooManyNames => conflict(
                &KEY_NAME,
                "Too many names have keys.",
                format!(
                    "is one more than the {ACCESS_KEY_NAMES_MAX} names that keys of an account may \
                     have; POST /account/keys/revoke revokes keys"
                ),
            ),
            AccessKeyError::TooManyToday => {
                let message = "Too many keys were made.";
                let remedy = format!(
                    "an account makes {ACCESS_KEYS_PER_DAY_MAX} keys within 24 hours at most; \
                     nothing was done, make it later"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            AccessKeyError::Replaced => conflict(
                &KEY,
                "Another key takes its place already.",
                "has been rotated before; rotate the key that takes its place".to_owned(),
            ),
            AccessKeyError::AllowlistUnreadable => allowlist_unreadable(),
            AccessKeyError::Unknown => {
                let message = "names no key that your account made; GET /account/permissions \
                               lists those that open it";
                unknown(&KEY, message)
            }
            AccessKeyError::OfOperator => {
                let message = "is a key of the operator of the gateway, who revokes it; ask for it";
                Self::params(
                    StatusCode::FORBIDDEN,
                    "The key is the operator's.",
                    Violations::of(&KEY, message),
                )
            }
            AccessKeyError::Request(refused) => refused.into(),
        }
    }
}

impl From<AccountUserError> for HttpReply {
    fn from(refused: AccountUserError) -> Self {
        match refused {
            AccountUserError::Unknown => unknown(&USER, NO_SUCH_USER),
            AccountUserError::RoleTooWide(role, scopes) => {
                let message = format!(
                    "{} has scopes that your key lacks: {}",
                    role.code(),
                    listed(&scopes)
                );
                let violations = Violations::of(&USER_ROLE, message);
                Self::params(StatusCode::FORBIDDEN, MORE_THAN_YOURS, violations)
            }
            AccountUserError::EmailTaken => conflict(
                &USER_EMAIL,
                "Another user has the e-mail address.",
                "is that of another user; POST /account/users/disable frees it".to_owned(),
            ),
            AccountUserError::TooMany => {
                let message = "The account has as many users as it may have.";
                let remedy = format!(
                    "an account has {USERS_MAX} users at most that are not disabled; \
                     POST /account/users/disable disables one"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            AccountUserError::TooManyToday => {
                let message = "Too many users were invited.";
                let remedy = format!(
                    "an account invites {USERS_PER_DAY_MAX} users within 24 hours at most; \
                     nothing was done, invite them later"
                );
                Self::request(StatusCode::CONFLICT, message, remedy)
            }
            AccountUserError::WrongCode(left) => invalid(
                &ACTIVATION_CODE,
                format!("is not the code of the invitation; {left} more may be tried"),
            ),
            AccountUserError::NoAttemptsLeft => {
                let message = "may not be tried any more: too many codes were wrong. Disable the \
                               user and invite the person again";
                invalid(&ACTIVATION_CODE, message)
            }
            AccountUserError::CodeExpired => {
                let message = "has expired; disable the user and invite the person again";
                invalid(&ACTIVATION_CODE, message)
            }
            AccountUserError::Disabled => conflict(
                &USER,
                "The user is disabled.",
                "is disabled, for good; invite the person again".to_owned(),
            ),
            AccountUserError::Request(refused) => refused.into(),
        }
    }
}

const MORE_THAN_YOURS: &str = "This would allow more than your key does.";

/// Everything that is wrong with a key that is asked for. What would allow more than the key of the
/// request is forbidden, whatever else is wrong with it.
fn terms_refused(all: &[KeyRefusal], zone: &Zone) -> HttpReply {
    let mut violations = Violations::default();
    let (mut is_forbidden, mut is_unknown) = (false, false);
    for refusal in all {
        let (attribute, message) = explained(refusal, zone);
        violations.add(attribute, message);
        match refusal {
            KeyRefusal::Scopes(_)
            | KeyRefusal::Networks
            | KeyRefusal::Expiry(_)
            | KeyRefusal::Unsigned
            | KeyRefusal::OtherUser => {
                is_forbidden = true;
            }
            KeyRefusal::UserUnknown => is_unknown = true,
            KeyRefusal::Expired | KeyRefusal::Role(..) | KeyRefusal::UserInactive(_) => {}
        }
    }
    if is_forbidden {
        return HttpReply::params(StatusCode::FORBIDDEN, MORE_THAN_YOURS, violations);
    }
    if is_unknown {
        return HttpReply::params(StatusCode::NOT_FOUND, "Not found.", violations);
    }
    let message = "The request has attributes that are not valid.";
    HttpReply::params(StatusCode::BAD_REQUEST, message, violations)
}

fn explained(refusal: &KeyRefusal, zone: &Zone) -> (&'static Attribute, String) {
    match refusal {
        KeyRefusal::Scopes(scopes) => {
            let message = format!("has scopes that your key lacks: {}", listed(scopes));
            (&KEY_SCOPES, message)
        }
        KeyRefusal::Networks => {
            let message = "must be networks within those of your key, which \
                           GET /account/permissions shows";
            (&KEY_ALLOWLIST, message.to_owned())
        }
        KeyRefusal::Expiry(latest) => {
            let latest = latest.map(|at| zone.date_time(at)).unwrap_or_default();
            let message = format!("must not be later than that of your key, {latest}");
            (&KEY_EXPIRES, message)
        }
        KeyRefusal::Unsigned => {
            let message = "must be true: the requests of your key are signed, and so are those of \
                           the keys that are made with it";
            (&KEY_SIGNED, message.to_owned())
        }
        KeyRefusal::Expired => (&KEY_EXPIRES, "must be in the future".to_owned()),
        KeyRefusal::Role(role, scopes) => {
            let message = format!(
                "has scopes that the role {} of the user does not have: {}",
                role.code(),
                listed(scopes)
            );
            (&KEY_SCOPES, message)
        }
        KeyRefusal::OtherUser => {
            let message = "is a key of another user, or of none; your key belongs to a user, and \
                           rotates the keys of that user";
            (&KEY, message.to_owned())
        }
        KeyRefusal::UserUnknown => (&USER, NO_SUCH_USER.to_owned()),
        KeyRefusal::UserInactive(status) => {
            let message = format!(
                "must be a user that is active; this one is {}",
                status.code()
            );
            (&USER, message)
        }
    }
}

fn listed(scopes: &[AccessScope]) -> String {
    let words: Vec<_> = scopes.iter().map(|scope| scope.code()).collect();
    words.join(", ")
}
