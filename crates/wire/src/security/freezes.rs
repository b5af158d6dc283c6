//! `/security/freeze` and `/security/unfreeze`. What is frozen must be named by exactly one
//! attribute.

use crate::attribute::{self, Attribute};
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::credential::KeyId;
use domain::family::Service;
use domain::freeze::{Freeze, FreezeOrder, FreezeReason, FreezeScope, FreezeState, FreezeTarget};

const LAYOUT: Layout<DatedFreeze> = Layout {
    path: "/security/freeze",
    plural: "freezes",
    singular: "freeze",
    orders: &[ListingOrder {
        word: "frzSince",
        compare: |one, other| {
            let key = |dated: &DatedFreeze| {
                let freeze = &dated.freeze;
                (
                    freeze.created_at,
                    named(freeze.target),
                    freeze.made_by.authority().code(),
                )
            };
            key(one).cmp(&key(other))
        },
    }],
    entry: |dated| {
        let freeze = &dated.freeze;
        view((freeze.target, freeze.state), Some(freeze), &dated.zone)
    },
};

/// A freeze with the time zone of its date.
#[derive(Debug, Clone)]
pub struct DatedFreeze {
    freeze: Freeze,
    zone: Zone,
}

/// Reads what is to be frozen, or to go on.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<FreezeOrder, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let scope = reader.required(&attribute::SCOPE, scope);
    let key = reader.optional(&attribute::KEY, KeyId::parse);
    let service = reader.optional(&attribute::SERVICE, service);
    let reason = reader.required(&attribute::REASON, FreezeReason::parse);
    let target = match scope {
        Ok(scope) => target(&mut reader, scope, (key, service)),
        Err(invalid) => Err(invalid),
    };
    reader.finish(|| {
        Ok(FreezeOrder {
            target: target?,
            reason: reason?,
        })
    })
}

/// What a scope with its key or service is.
fn target(
    reader: &mut FieldReader<'_>,
    scope: FreezeScope,
    (key, service): (
        Result<Option<KeyId>, InvalidField>,
        Result<Option<Service>, InvalidField>,
    ),
) -> Result<FreezeTarget, InvalidField> {
    let mut alone = |attribute: &'static Attribute, is_sent: bool| {
        if !is_sent {
            return Ok(());
        }
        let code = scope.code();
        let message = format!("says nothing of the scope {code}; leave it out");
        Err(reader.fault(attribute, &message))
    };
    let (key_sent, service_sent) = (matches!(key, Ok(Some(_))), matches!(service, Ok(Some(_))));
    match scope {
        FreezeScope::Account => {
            let of_key = alone(&attribute::KEY, key_sent);
            alone(&attribute::SERVICE, service_sent)?;
            of_key?;
            Ok(FreezeTarget::Account)
        }
        FreezeScope::Key => {
            alone(&attribute::SERVICE, service_sent)?;
            match key? {
                Some(key) => Ok(FreezeTarget::Key(key)),
                None => Err(reader.fault(&attribute::KEY, "is required; name the key")),
            }
        }
        FreezeScope::Service => {
            alone(&attribute::KEY, key_sent)?;
            match service? {
                Some(service) => Ok(FreezeTarget::Service(service)),
                None => Err(reader.fault(&attribute::SERVICE, "is required; name the service")),
            }
        }
    }
}

/// Reads which part of the freezes is requested.
pub fn parse_list(
    attributes: &Attributes,
    handling: Handling,
) -> Result<Paging<OrderWord>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| paging)
}

/// The words of the scopes.
pub fn scope_words() -> [&'static str; 3] {
    FreezeScope::ALL.map(FreezeScope::code)
}

/// The words of the services.
pub fn service_words() -> Vec<&'static str> {
    Service::all().map(Service::code).collect()
}

/// What became of something, with the change that led to it.
pub fn view(
    (target, state): (FreezeTarget, FreezeState),
    latest: Option<&Freeze>,
    zone: &Zone,
) -> Object {
    let (key, service) = named(target);
    Object::new()
        .with("frzStatus", state.code())
        .with("scope", target.scope().code())
        .with("keyIdentifier", key)
        .with("service", service)
        .with("reason", latest.map(|freeze| freeze.reason.as_str()))
        .with(
            "frzSetBy",
            latest.map(|freeze| freeze.made_by.authority().code()),
        )
        .with(
            "frzMadeBy",
            latest.and_then(|freeze| freeze.made_by.key().map(|key| key.to_string())),
        )
        .with(
            "frzSince",
            latest.map(|freeze| zone.date_time(freeze.created_at)),
        )
}

/// What is frozen of an account, for the list.
pub fn listing(freezes: Vec<Freeze>, zone: &Zone) -> Listing<DatedFreeze> {
    let dated = freezes.into_iter().map(|freeze| DatedFreeze {
        freeze,
        zone: zone.clone(),
    });
    Listing::whole(dated.collect())
}

/// A page of the list.
pub fn view_list(freezes: &Listing<DatedFreeze>, paging: &Paging<OrderWord>) -> Object {
    LAYOUT.view(freezes, paging)
}

/// The `Link` header of the list.
pub fn link_header(freezes: &Listing<DatedFreeze>, paging: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((freezes, paging), &[])
}

/// The key and the service of a target.
fn named(target: FreezeTarget) -> (Option<String>, Option<&'static str>) {
    match target {
        FreezeTarget::Account => (None, None),
        FreezeTarget::Key(key) => (Some(key.to_string()), None),
        FreezeTarget::Service(service) => (None, Some(service.code())),
    }
}

fn scope(text: &str) -> Result<FreezeScope, String> {
    FreezeScope::from_code(&text.to_ascii_lowercase())
        .ok_or_else(|| format!("must be one of {}", scope_words().join(", ")))
}

pub(crate) fn service(text: &str) -> Result<Service, String> {
    Service::from_code(&text.to_ascii_lowercase())
        .ok_or_else(|| format!("must be one of {}", service_words().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use testkit::builders::freeze;

    fn read(pairs: &[(&str, &str)]) -> Result<FreezeOrder, Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    #[test]
    fn an_account_a_key_or_a_service_is_named() {
        let reason = ("reason", "\" stolen \"");
        let account = read(&[("scope", "\"ACCOUNT\""), reason]).unwrap();
        assert_eq!(account.target, FreezeTarget::Account);
        assert_eq!(account.reason.as_str(), "stolen");
        let key = ("keyIdentifier", "\"00000000000000A1\"");
        let key = read(&[("scope", "\"key\""), key, reason]).unwrap();
        assert_eq!(key.target, FreezeTarget::Key(KeyId(161)));
        let bank = read(&[("scope", "\"service\""), ("service", "\"Bank\""), reason]).unwrap();
        assert_eq!(bank.target, FreezeTarget::Service(Service::Bank));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        scope: is required; add it to the body
        reason: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("scope", "\"user\""),
            ("keyIdentifier", "\"7\""),
            ("reason", "\"\""),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 -
        scope: must be one of account, key, service
        keyIdentifier: must be 16 digits out of 0-9 a-f, such as 00000000000000a1
        reason: must not be empty
        ");
        let missing = [("scope", "\"key\""), ("reason", "\"\"")];
        insta::assert_snapshot!(faults(read(&missing)), @r"
        400 -
        reason: must not be empty
        keyIdentifier: is required; name the key
        ");
        let both = [
            ("scope", "\"account\""),
            ("keyIdentifier", "\"00000000000000a1\""),
            ("service", "\"bank\""),
            ("reason", "\"x\""),
        ];
        insta::assert_snapshot!(faults(read(&both)), @r"
        400 -
        keyIdentifier: says nothing of the scope account; leave it out
        service: says nothing of the scope account; leave it out
        ");
    }

    #[test]
    fn a_freeze_shows_what_since_when_and_by_which_key() {
        let kept = freeze("shop", FreezeTarget::Service(Service::Bank), 1).freeze;
        let shown = view((kept.target, kept.state), Some(&kept), &lagos());
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          frzStatus: "Frozen"
          scope: "service"
          keyIdentifier: null
          service: "bank"
          reason: "The laptop was stolen."
          frzSetBy: "Merchant"
          frzMadeBy: "0000000000000001"
          frzSince: "15-01-2026 10:00:01"
        }
        "#);
    }
}
