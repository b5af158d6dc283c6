//! `POST /account/keys` and `POST /account/keys/revoke`. A secret must be shown in the answer that
//! makes its key and nowhere else.

use super::permissions;
use super::users::user_id;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::access::{
    AccessKey, AccessKeyName, AccessScope, AccessTerms, AccountKey, AllowedNetworks, IpNetwork,
    NETWORKS_MAX, NewAccessKey, RequestSigning, ScopeSet,
};
use domain::credential::KeyId;
use domain::time::Timestamp;

/// Reads the key that is wanted; moments are in the time zone of the account.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<NewAccessKey, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&attribute::KEY_NAME, AccessKeyName::parse);
    let scopes = reader.required(&attribute::KEY_SCOPES, scopes);
    let networks = reader.optional(&attribute::KEY_ALLOWLIST, networks);
    let expires_at = reader.optional(&attribute::KEY_EXPIRES, |text| zone.parse(text));
    let user = reader.optional(&attribute::USER, user_id);
    let signed = reader.truth(&attribute::KEY_SIGNED);
    reader.finish(|| {
        Ok(NewAccessKey {
            name: name?,
            terms: AccessTerms {
                scopes: scopes?,
                networks: networks?.unwrap_or_default(),
                expires_at: expires_at?,
                signing: signing(signed?),
            },
            user: user?,
        })
    })
}

/// Reads which key is to be revoked.
pub fn parse_revocation(attributes: &Attributes, handling: Handling) -> Result<KeyId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(&attribute::KEY, KeyId::parse);
    reader.finish(|| id)
}

/// A key with its secret and what its requests are signed with, which are shown only in this
/// answer.
pub fn created(key: &AccessKey, (secret, signing): (&str, Option<&str>), zone: &Zone) -> Object {
    view(key, zone)
        .with("keySecret", secret)
        .with("keySigningSecret", signing)
}

/// A key without its secret.
pub fn view(key: &AccessKey, zone: &Zone) -> Object {
    permissions::view_one(&AccountKey::Merchant(key.clone()), zone)
}

/// A key that is revoked.
pub fn revoked((id, at): (KeyId, Timestamp), zone: &Zone) -> Object {
    Object::new()
        .with("keyIdentifier", id.to_string())
        .with("keyRevoked", zone.date_time(at))
}

/// The address of a key, for `Location`.
pub fn path(id: KeyId) -> String {
    format!("{}?{}={id}", permissions::PATH, attribute::KEY.name)
}

/// Whether the requests of a key are signed, as is said of it.
fn signing(is_signed: Option<bool>) -> RequestSigning {
    if is_signed.unwrap_or_default() {
        RequestSigning::Required
    } else {
        RequestSigning::Unsigned
    }
}

fn scopes(text: &str) -> Result<ScopeSet, String> {
    ScopeSet::parse(text).ok_or_else(|| {
        let known = AccessScope::ALL.map(AccessScope::code).join(", ");
        format!("must be scopes there are: {known}")
    })
}

fn networks(text: &str) -> Result<AllowedNetworks, String> {
    let texts: Vec<_> = text.split(',').map(str::trim).collect();
    if texts.len() > NETWORKS_MAX {
        return Err(format!("must name at most {NETWORKS_MAX} networks"));
    }
    if texts == [""] {
        let message = "must name at least one network; without it every address is allowed";
        return Err(message.to_owned());
    }
    let read = |text: &str| IpNetwork::parse(text).map_err(|why| format!("{text} {why}"));
    let read: Vec<_> = texts.into_iter().map(read).collect();
    let wrong: Vec<_> = read.iter().filter_map(|it| it.as_ref().err()).collect();
    if !wrong.is_empty() {
        let wrong: Vec<_> = wrong.into_iter().map(String::as_str).collect();
        return Err(wrong.join("; "));
    }
    Ok(AllowedNetworks::only(read.into_iter().flatten()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use domain::access::AccountUserId;
    use testkit::builders::access_key;

    fn read(pairs: &[(&str, &str)]) -> Result<NewAccessKey, Violations> {
        parse(&body(pairs), Handling::Strict, &lagos())
    }

    #[test]
    fn a_key_may_be_wanted_on_narrow_terms() {
        let least = [("keyName", "\" Till 1 \""), ("keyScopes", "[\"read\"]")];
        let key = read(&least).unwrap();
        assert_eq!(key.name.as_str(), "Till 1");
        assert_eq!(key.terms.scopes, ScopeSet::of([AccessScope::Read]));
        assert_eq!(key.terms.networks, AllowedNetworks::Everywhere);
        assert_eq!((key.terms.expires_at, key.user), (None, None));
        let most = [
            ("keyName", "\"Till 1\""),
            ("keyScopes", "\"Pay, READ,pay\""),
            ("keyAllowlist", "[\"2001:db8::/32\",\"192.0.2.7\"]"),
            ("keyExpires", "\"15-01-2026 10:00:00\""),
            ("usrIdentifier", "7"),
            ("keySigned", "true"),
        ];
        assert_eq!(key.terms.signing, RequestSigning::Unsigned);
        let key = read(&most).unwrap();
        assert_eq!(key.terms.signing, RequestSigning::Required);
        assert_eq!(key.terms.scopes.to_string(), "read,pay");
        let networks = key.terms.networks.networks().iter();
        let networks: Vec<_> = networks.map(ToString::to_string).collect();
        assert_eq!(networks, ["192.0.2.7/32", "2001:db8::/32"]);
        assert_eq!(key.terms.expires_at, Some(testkit::builders::START));
        assert_eq!(key.user.map(AccountUserId::get), Some(7));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1")])), @r"
        400 -
        keyName: is required; add it to the body
        keyScopes: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let wrong = [
            ("keyName", "\"\""),
            ("keyScopes", "[\"read\",\"root\"]"),
            ("keyAllowlist", "[\"203.0.113.7/24\"]"),
            ("usrIdentifier", "0"),
            ("keySigned", "\"maybe\""),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 -
        keyName: must not be empty
        keyScopes: must be scopes there are: read, lookup, pay, manage, admin
        keyAllowlist: 203.0.113.7/24 has an address within the network; its own is 203.0.113.0/24
        usrIdentifier: must be the number of a user; GET /account/users lists those you have
        keySigned: must be true or false
        ");
        let more = [
            ("keyAllowlist", "[\"192.0.2.0/24\",\"x\",\"y/8\"]"),
            ("keyExpires", "\"tomorrow\""),
        ];
        let more = read(&more).unwrap_err();
        let messages: Vec<_> = more.iter().map(|(_, all)| all.concat()).collect();
        assert_eq!(messages[2].matches("must be a network").count(), 2);
        assert!(messages[3].starts_with("must be a moment"), "{messages:?}");
        let none = [
            ("keyName", "\"A\""),
            ("keyScopes", "[]"),
            ("keyAllowlist", "[]"),
        ];
        insta::assert_snapshot!(faults(read(&none)), @r"
        400 -
        keyScopes: must be scopes there are: read, lookup, pay, manage, admin
        keyAllowlist: must name at least one network; without it every address is allowed
        ");
        let many = format!("\"{}\"", vec!["192.0.2.7"; 21].join(","));
        let many = [
            ("keyName", "\"A\""),
            ("keyScopes", "\"read\""),
            ("keyAllowlist", &many),
        ];
        insta::assert_snapshot!(faults(read(&many)), @r"
        400 -
        keyAllowlist: must name at most 20 networks
        ");
        let revoked = parse_revocation(&body(&[("keyIdentifier", "\"7\"")]), Handling::Strict);
        insta::assert_snapshot!(faults(revoked), @r"
        400 -
        keyIdentifier: must be 16 digits out of 0-9 a-f, such as 00000000000000a1
        ");
    }

    #[test]
    fn the_secret_is_shown_where_the_key_is_made() {
        let key = access_key("shop", 7, "Till 1").key;
        let mut key = key;
        key.terms.signing = RequestSigning::Required;
        let secrets = ("mk_test_secret", Some("c2lnbmluZw=="));
        let shown = pretty(&created(&key, secrets, &lagos()).into());
        insta::assert_snapshot!(shown, @r#"
        {
          keyIdentifier: "0000000000000007"
          keyName: "Till 1"
          keyPrefix: "mk_test_0007"
          keyScopes: [
            keyScope "read"
            keyScope "pay"
          ]
          keyAllowlist: [
            keyAllowlist "203.0.113.0/24"
          ]
          keyExpires: null
          keySigned: true
          usrIdentifier: null
          keyMadeBy: "0000000000000001"
          keyCreated: "15-01-2026 10:00:00"
          keySecret: "mk_test_secret"
          keySigningSecret: "c2lnbmluZw=="
        }
        "#);
        assert!(!pretty(&view(&key, &lagos()).into()).contains("keySecret"));
        assert_eq!(
            path(key.id),
            "/account/permissions?keyIdentifier=0000000000000007"
        );
    }
}
