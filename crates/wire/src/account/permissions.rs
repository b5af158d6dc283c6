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
use domain::credential::{KeyId, KeyRecord};

const PATH: &str = "/account/permissions";

/// What a key may do. Every key may do all of it: read, pay, and manage what belongs to the
/// account, such as endpoints and groups.
pub const SCOPES: [&str; 3] = ["read", "pay", "manage"];

const LAYOUT: Layout<KeyDate> = Layout {
    path: PATH,
    plural: "permissions",
    singular: "permission",
    orders: &[ListingOrder {
        word: "keyCreated",
        compare: |one, other| {
            let key = |dated: &KeyDate| (dated.key.created_at, dated.key.id);
            key(one).cmp(&key(other))
        },
    }],
    entry: |dated| view_one(&dated.key, &dated.zone),
};

/// A key with the time zone of its dates.
#[derive(Debug, Clone)]
pub struct KeyDate {
    key: KeyRecord,
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
pub fn listing(keys: Vec<KeyRecord>, zone: &Zone) -> Listing<KeyDate> {
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

/// One key.
pub fn view_one(key: &KeyRecord, zone: &Zone) -> Object {
    let scopes = SCOPES.map(str::to_owned);
    Object::new()
        .with("keyIdentifier", key.id.to_string())
        .with("keyPrefix", key.hint.as_str())
        .with("keyScopes", Node::texts("keyScope", scopes))
        .with("keyCreated", zone.date_time(key.created_at))
}

/// The `Link` header of the answer.
pub fn link_header(keys: &Listing<KeyDate>, query: &PermissionsQuery) -> String {
    LAYOUT.link_header((keys, &query.paging), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::key;

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
        let keys = listing(vec![key(1), key(2)], &lagos());
        let page = parse(&query("length=1&sort=desc"), Handling::Strict).unwrap();
        let shown = pretty(&view(&keys, &page).into());
        insta::assert_snapshot!(shown, @r#"
        {
          permissions: [
            permission {
              keyIdentifier: "0000000000000002"
              keyPrefix: "mk_test_K002"
              keyScopes: [
                keyScope "read"
                keyScope "pay"
                keyScope "manage"
              ]
              keyCreated: "15-01-2026 10:00:02"
            }
          ]
          metadata: {
            total: 1
          }
          query: {
            length: 1
            offset: 0
            total: 2
            found: 2
          }
        }
        "#);
    }
}
