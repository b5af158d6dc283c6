//! `GET /account/permissions`: the keys that open the account and what each may do. It must never
//! show a key or its hash, only what it begins with.

use crate::attribute;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::access::{AccessTerms, AccountKey, AccountUserId, AllowedNetworks, RequestSigning};
use domain::credential::KeyId;

/// Its path.
pub(super) const PATH: &str = "/account/permissions";

/// The networks that every address is in.
const EVERYWHERE: [&str; 2] = ["0.0.0.0/0", "::/0"];

const LAYOUT: Layout<KeyDate> = Layout {
    path: PATH,
    plural: "permissions",
    singular: "permission",
    orders: &[ListingOrder {
        word: "keyCreated",
        compare: |one, other| {
            let key = |dated: &KeyDate| (dated.key.created_at(), dated.key.id());
            key(one).cmp(&key(other))
        },
    }],
    entry: |dated| view_one(&dated.key, &dated.zone),
};

/// A key with the time zone of its dates.
#[derive(Debug, Clone)]
pub struct KeyDate {
    key: AccountKey,
    zone: Zone,
}

/// The keys that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionsQuery {
    /// The one key that is requested; without it, all of them.
    pub only: Option<KeyId>,
    pub paging: Paging<OrderWord>,
}

/// Reads which keys are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<PermissionsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let only = reader.optional(&attribute::KEY, KeyId::parse);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(PermissionsQuery {
            only: only?,
            paging: paging?,
        })
    })
}

/// The keys of an account, for the list.
pub fn listing(keys: Vec<AccountKey>, zone: &Zone) -> Listing<KeyDate> {
    let dated = keys.into_iter().map(|key| KeyDate {
        key,
        zone: zone.clone(),
    });
    Listing::whole(dated.collect())
}

/// A page of the list.
pub fn view(keys: &Listing<KeyDate>, query: &PermissionsQuery) -> Object {
    LAYOUT.view(keys, &query.paging)
}

/// One key. Where requests may come from everywhere, both networks of every address are shown.
pub fn view_one(key: &AccountKey, zone: &Zone) -> Object {
    let shown = match key {
        AccountKey::Operator(key) => ShownKey {
            name: None,
            hint: &key.hint,
            terms: &AccessTerms::UNLIMITED,
            user: None,
            made_by: None,
        },
        AccountKey::Merchant(key) => ShownKey {
            name: Some(key.name.as_str()),
            hint: &key.hint,
            terms: &key.terms,
            user: key.user,
            made_by: Some(key.made_by),
        },
    };
    let scopes = shown.terms.scopes.iter();
    let scopes = scopes.map(|scope| scope.code().to_owned());
    let expires = shown.terms.expires_at.map(|at| zone.date_time(at));
    let is_signed = match shown.terms.signing {
        RequestSigning::Unsigned => false,
        RequestSigning::Required => true,
    };
    Object::new()
        .with("keyIdentifier", key.id().to_string())
        .with("keyName", shown.name)
        .with("keyPrefix", shown.hint)
        .with("keyScopes", Node::texts("keyScope", scopes))
        .with(
            "keyAllowlist",
            Node::texts("keyAllowlist", networks(&shown.terms.networks)),
        )
        .with("keyExpires", expires)
        .with("keySigned", is_signed)
        .with("usrIdentifier", shown.user.map(AccountUserId::get))
        .with("keyMadeBy", shown.made_by.map(|id| id.to_string()))
        .with("keyCreated", zone.date_time(key.created_at()))
}

/// What is shown of a key.
struct ShownKey<'a> {
    name: Option<&'a str>,
    hint: &'a str,
    terms: &'a AccessTerms,
    user: Option<AccountUserId>,
    made_by: Option<KeyId>,
}

fn networks(allowed: &AllowedNetworks) -> Vec<String> {
    match allowed {
        AllowedNetworks::Everywhere => EVERYWHERE.map(str::to_owned).to_vec(),
        AllowedNetworks::Only(networks) => networks.iter().map(ToString::to_string).collect(),
    }
}

/// The `Link` header of the answer.
pub fn link_header(keys: &Listing<KeyDate>, query: &PermissionsQuery) -> String {
    LAYOUT.link_header((keys, &query.paging), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::{access_key, at, key};

    fn keys() -> [AccountKey; 2] {
        let mut made = access_key("shop", 7, "Till 1").key;
        made.created_at = at(3);
        [AccountKey::Operator(key(2)), AccountKey::Merchant(made)]
    }

    #[test]
    fn one_key_or_a_part_of_them_is_asked_for() {
        let read = |text| parse(&query(text), Handling::Strict);
        assert_eq!(read("length=1").unwrap().only, None);
        let only = read("keyIdentifier=00000000000000A1").unwrap().only;
        assert_eq!(only, Some(KeyId(161)));
        let wrong = "keyIdentifier=161&orderby=keyPrefix&length=0&x=1";
        insta::assert_snapshot!(faults(read(wrong)), @r"
        400 -
        keyIdentifier: must be 16 digits out of 0-9 a-f, such as 00000000000000a1
        length: must be a whole number from 1 to 100
        orderby: must be keyCreated, or left out
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_key_is_shown_by_what_it_begins_with_and_nothing_of_its_hash() {
        let keys = listing(keys().to_vec(), &lagos());
        let page = parse(&query(""), Handling::Strict).unwrap();
        let shown = pretty(&view(&keys, &page).into());
        insta::assert_snapshot!(shown, @r#"
        {
          permissions: [
            permission {
              keyIdentifier: "0000000000000002"
              keyName: null
              keyPrefix: "mk_test_K002"
              keyScopes: [
                keyScope "read"
                keyScope "lookup"
                keyScope "pay"
                keyScope "manage"
                keyScope "admin"
              ]
              keyAllowlist: [
                keyAllowlist "0.0.0.0/0"
                keyAllowlist "::/0"
              ]
              keyExpires: null
              keySigned: false
              usrIdentifier: null
              keyMadeBy: null
              keyCreated: "15-01-2026 10:00:02"
            }
            permission {
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
              keySigned: false
              usrIdentifier: null
              keyMadeBy: "0000000000000001"
              keyCreated: "15-01-2026 10:00:03"
            }
          ]
          metadata: {
            total: 2
          }
          query: {
            length: 100
            offset: 0
            total: 2
            found: 2
          }
        }
        "#);
    }
}
