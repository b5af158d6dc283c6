//! `/security/allowlist`. Every violation must be named at once, by the name of its attribute.

use crate::attribute;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::access::{
    AllowlistEntry, AllowlistEntryId, AllowlistNote, IpNetwork, NewAllowlistEntry,
};
use domain::credential::KeyId;

const LAYOUT: Layout<DatedEntry> = Layout {
    path: "/security/allowlist",
    plural: "networks",
    singular: "network",
    orders: &[ListingOrder {
        word: "alwCreated",
        compare: |one, other| {
            let key = |dated: &DatedEntry| (dated.entry.created_at, dated.key, dated.entry.id);
            key(one).cmp(&key(other))
        },
    }],
    entry: |dated| view((dated.key, &dated.entry), &dated.zone),
};

/// A network of a key with the time zone of its date.
#[derive(Debug, Clone)]
pub struct DatedEntry {
    key: KeyId,
    entry: AllowlistEntry,
    zone: Zone,
}

/// Reads the network that is to be added.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<NewAllowlistEntry, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let network = reader.required(&attribute::ALLOWED_NETWORK, IpNetwork::parse);
    let key = reader.optional(&attribute::KEY, KeyId::parse);
    let note = reader.optional(&attribute::ALLOWED_NOTE, AllowlistNote::parse);
    reader.finish(|| {
        Ok(NewAllowlistEntry {
            key: key?,
            network: network?,
            note: note?,
        })
    })
}

/// Reads which network is to be removed.
pub fn parse_removal(
    attributes: &Attributes,
    handling: Handling,
) -> Result<AllowlistEntryId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let id = reader.required(&attribute::ALLOWED, AllowlistEntryId::parse);
    reader.finish(|| id)
}

/// Reads which part of the networks is requested.
pub fn parse_list(
    attributes: &Attributes,
    handling: Handling,
) -> Result<Paging<OrderWord>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| paging)
}

/// A network that a key may be used from.
pub fn view((key, entry): (KeyId, &AllowlistEntry), zone: &Zone) -> Object {
    Object::new()
        .with("alwIdentifier", entry.id.to_string())
        .with("keyIdentifier", key.to_string())
        .with("alwNetwork", entry.network.to_string())
        .with("alwNote", entry.note.as_ref().map(AllowlistNote::as_str))
        .with("alwMadeBy", entry.made_by.to_string())
        .with("alwCreated", zone.date_time(entry.created_at))
}

/// The networks of the keys of an account, for the list.
pub fn listing(
    entries: impl IntoIterator<Item = (KeyId, AllowlistEntry)>,
    zone: &Zone,
) -> Listing<DatedEntry> {
    let dated = entries.into_iter().map(|(key, entry)| DatedEntry {
        key,
        entry,
        zone: zone.clone(),
    });
    Listing::whole(dated.collect())
}

/// A page of the list.
pub fn view_list(entries: &Listing<DatedEntry>, paging: &Paging<OrderWord>) -> Object {
    LAYOUT.view(entries, paging)
}

/// The `Link` header of the list.
pub fn link_header(entries: &Listing<DatedEntry>, paging: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((entries, paging), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use testkit::builders::allowlist;

    fn read(pairs: &[(&str, &str)]) -> Result<NewAllowlistEntry, Violations> {
        parse(&body(pairs), Handling::Strict)
    }

    #[test]
    fn a_network_is_of_the_key_of_the_request_or_of_another() {
        let network = ("alwNetwork", "\"203.0.113.0/24\"");
        let own = read(&[network]).unwrap();
        assert_eq!((own.key, own.note), (None, None));
        assert_eq!(own.network.to_string(), "203.0.113.0/24");
        let key = ("keyIdentifier", "\"00000000000000a1\"");
        let other = read(&[network, key, ("alwNote", "\" Lagos \"")]).unwrap();
        assert_eq!(other.key, Some(KeyId(161)));
        assert_eq!(other.note.unwrap().as_str(), "Lagos");
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong = [
            ("alwNetwork", "\"203.0.113.7/24\""),
            ("keyIdentifier", "\"7\""),
            ("alwNote", "\"\""),
            ("x", "1"),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 -
        alwNetwork: has an address within the network; its own is 203.0.113.0/24
        keyIdentifier: must be 16 digits out of 0-9 a-f, such as 00000000000000a1
        alwNote: must not be empty
        x: is not an attribute of this request; leave it out
        ");
        let removed = parse_removal(&body(&[("alwIdentifier", "\"7\"")]), Handling::Strict);
        insta::assert_snapshot!(faults(removed), @r"
        400 -
        alwIdentifier: must be 16 digits out of 0-9 a-f, such as 00000000000000a1
        ");
    }

    #[test]
    fn a_network_shows_its_key_and_what_it_is_for() {
        let list = allowlist("shop", 7, 2).list;
        let shown = view((list.key, &list.entries[1]), &lagos());
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          alwIdentifier: "0000000200000007"
          keyIdentifier: "0000000000000007"
          alwNetwork: "198.51.100.2/32"
          alwNote: "Office"
          alwMadeBy: "0000000000000001"
          alwCreated: "15-01-2026 10:00:02"
        }
        "#);
    }
}
