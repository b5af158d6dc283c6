//! `GET /transfer/group`. It must not sort or filter: the groups come in the order shown.

use super::{PATH, group_id};
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bank::{GroupId, GroupSummary};

/// The only order: by the moment they were made.
const ORDERS: [(&str, ()); 1] = [("grpCreated", ())];

/// The groups that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupsQuery {
    /// The one group that is requested; without it, a page of all of them.
    pub only: Option<GroupId>,
    pub paging: Paging<()>,
}

/// A page of the groups of an account.
#[derive(Debug, Clone, Copy)]
pub struct GroupsPart<'a> {
    pub groups: &'a [GroupSummary],
    /// The number of groups of the account.
    pub total: u64,
}

/// Reads which groups are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<GroupsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let only = reader.optional(&attribute::GROUP, group_id);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| {
        Ok(GroupsQuery {
            only: only?,
            paging: paging?,
        })
    })
}

/// A page of the groups, without their members.
pub fn view(part: GroupsPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let groups = part.groups.iter().map(|group| entry(group, zone));
    Object::new()
        .with("groups", Node::objects("group", groups))
        .with("metadata", page::metadata(part.groups.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of the answer (RFC 8288).
pub fn link_header(part: GroupsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

pub(super) fn entry(group: &GroupSummary, zone: &Zone) -> Object {
    Object::new()
        .with("grpIdentifier", group.id.get())
        .with("grpName", group.name.as_str())
        .with("version", u64::from(group.version.get()))
        .with("grpCount", u64::from(group.members))
        .with("grpCreated", zone.date_time(group.created_at))
        .with("grpUpdated", zone.date_time(group.updated_at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, query};

    #[test]
    fn one_group_or_a_part_of_them_is_asked_for() {
        let read = |text| parse(&query(text), Handling::Strict);
        assert_eq!(read("length=1").unwrap().only, None);
        let only = read("grpIdentifier=7").unwrap().only;
        assert_eq!(only.map(GroupId::get), Some(7));
        insta::assert_snapshot!(faults(read("grpIdentifier=x&orderby=grpName&x=1")), @r"
        400 -
        grpIdentifier: must be the number of a group; GET /transfer/group lists those you have
        orderby: must be grpCreated, or left out
        x: is not an attribute of this request; leave it out
        ");
    }
}
