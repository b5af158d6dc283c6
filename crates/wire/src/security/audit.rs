//! `GET /security/audit`. It must show what was recorded and judge none of it.

use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::{Zone, utc};
use domain::account_change::{AccountChangesQuery, ChangeAction, RecordedChange};

const PATH: &str = "/security/audit";

/// The only order: changes are numbered as they are made.
const ORDERS: [(&str, ()); 1] = [("audDate", ())];

/// A page of the changes of an account.
#[derive(Debug, Clone, Copy)]
pub struct ChangesPart<'a> {
    /// The changes.
    pub changes: &'a [RecordedChange],
    /// How many the account has.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

/// The words of what is done.
pub fn action_words() -> [&'static str; 17] {
    ChangeAction::ALL.map(ChangeAction::code)
}

/// Reads which changes are requested; days and moments are in the time zone of the account unless
/// they name one.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    zone: &Zone,
) -> Result<AccountChangesQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let actions = ChangeAction::ALL.map(|action| (action.code(), action));
    let paging = Paging::read(&mut reader, &ORDERS);
    let action = reader.choice(&attribute::AUDIT_ACTION, &actions);
    let from = reader.optional(&attribute::FROM, |text| zone.period_start(text));
    let before = reader.optional(&attribute::TO, |text| zone.period_end(text));
    if let (Ok(Some(from)), Ok(Some(before))) = (from, before)
        && before <= from
    {
        reader.object(&attribute::TO, "must be later than from");
    }
    reader.finish(|| {
        let paging = paging?;
        Ok(AccountChangesQuery {
            from: from?,
            before: before?,
            action: action?,
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// A page of the changes.
pub fn view(part: ChangesPart<'_>, query: &AccountChangesQuery, zone: &Zone) -> Object {
    let changes = part.changes.iter().map(|it| view_one(it, zone));
    Object::new()
        .with("changes", Node::objects("change", changes))
        .with("metadata", page::metadata(part.changes.len()))
        .with("query", page::query(&window(part, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: ChangesPart<'_>, query: &AccountChangesQuery) -> String {
    page::link_header(&window(part, query), |offset| address(query, offset))
}

fn view_one(recorded: &RecordedChange, zone: &Zone) -> Object {
    let change = &recorded.change;
    let key = change.actor.key().map(|key| key.to_string());
    let user = change.actor.user().map(|user| user.get().to_string());
    Object::new()
        .with("audIdentifier", recorded.number)
        .with("audActor", user.or_else(|| key.clone()))
        .with("audActorType", change.actor.kind().code())
        .with("keyIdentifier", key)
        .with("audAction", change.action.code())
        .with("audTarget", change.target.as_str())
        .with("audBefore", change.before.as_deref())
        .with("audAfter", change.after.as_deref())
        .with(
            "audIpAddress",
            change.address.map(|address| address.to_string()),
        )
        .with("audRequestId", change.request_id.as_deref())
        .with("audDate", zone.date_time(change.at))
        .with("audHash", recorded.hash.to_string())
        .with("audPrevious", recorded.previous.to_string())
        .with("audVerified", recorded.is_verified)
}

const fn window(part: ChangesPart<'_>, query: &AccountChangesQuery) -> PageWindow {
    PageWindow {
        offset: query.offset,
        length: query.length,
        total: part.total,
        found: part.found,
    }
}

/// The same request for another page. No value in it needs encoding in a query.
fn address(query: &AccountChangesQuery, offset: u64) -> String {
    let action = query.action.map(|action| action.code().to_owned());
    let filters = [
        (attribute::OFFSET, Some(offset.to_string())),
        (attribute::LENGTH, Some(query.length.to_string())),
        (attribute::SORT, Some(sort_word(query.sort).to_owned())),
        (attribute::FROM, query.from.map(utc)),
        (attribute::TO, query.before.map(utc)),
        (attribute::AUDIT_ACTION, action),
    ];
    let pairs = filters
        .iter()
        .filter_map(|(attribute, value)| Some(format!("{}={}", attribute.name, value.as_ref()?)));
    format!("{PATH}?{}", pairs.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query};
    use testkit::builders::recorded_change;

    fn read(text: &str) -> Result<AccountChangesQuery, Violations> {
        parse(&query(text), Handling::Strict, &lagos())
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        let wrong = "from=x&to=y&audAction=read&orderby=audHash&sort=up&length=0&offset=-1&x=1";
        let refused = read(wrong).unwrap_err();
        let named: Vec<_> = refused.iter().map(|(name, _)| name).collect();
        let expected = [
            "offset",
            "length",
            "orderby",
            "sort",
            "audAction",
            "from",
            "to",
            "x",
        ];
        assert_eq!(named, expected);
        insta::assert_snapshot!(faults(read("from=16-01-2026&to=14-01-2026")), @r"
        400 -
        to: must be later than from
        ");
        let asked = read("audAction=KEY.MADE&from=15-01-2026").unwrap();
        assert_eq!(asked.action, Some(ChangeAction::KeyMade));
        assert!(asked.from.is_some() && asked.before.is_none());
    }

    #[test]
    fn a_page_shows_each_change_with_its_hash() {
        let asked = read("audAction=key.made&to=15-01-2026&length=1").unwrap();
        let changes = [recorded_change("shop")];
        let part = ChangesPart {
            changes: &changes,
            total: 3,
            found: 2,
        };
        insta::assert_snapshot!(pretty(&view(part, &asked, &lagos()).into()), @r#"
        {
          changes: [
            change {
              audIdentifier: 1
              audActor: "0000000000000001"
              audActorType: "key"
              keyIdentifier: "0000000000000001"
              audAction: "freeze.set"
              audTarget: "service bank"
              audBefore: "state: Active"
              audAfter: "state: Frozen; reason: The laptop was stolen."
              audIpAddress: "203.0.113.7"
              audRequestId: "5c1d8f1b9e4a7c30d2b6f4a8"
              audDate: "15-01-2026 10:01:00"
              audHash: "e744d3d1d2fa285c14bc19cd7ae1905378dd9aed3ec088486e4d3136cce7ef3d"
              audPrevious: "0000000000000000000000000000000000000000000000000000000000000000"
              audVerified: true
            }
          ]
          metadata: {
            total: 1
          }
          query: {
            length: 1
            offset: 0
            total: 3
            found: 2
          }
        }
        "#);
        let links = link_header(part, &asked);
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict, &lagos());
        let without_offset = |query| AccountChangesQuery { offset: 0, ..query };
        links_ask_for_the_same((PATH, &links), asked, again, without_offset);
    }
}
