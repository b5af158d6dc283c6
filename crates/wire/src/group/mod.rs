//! Groups of bank accounts, one file per operation. A name of a member must be shown as the
//! merchant's, never as that of the bank.

pub mod change;
pub mod content;
pub mod list;

use crate::attribute;
use crate::tree::{Node, Object};
use crate::zone::Zone;
use domain::bank::{Group, GroupId, GroupMember};

/// Its path.
const PATH: &str = "/transfer/group";

/// The address of a group, for `Location`.
pub fn path(group: GroupId) -> String {
    format!("{PATH}?{}={group}", attribute::GROUP.name)
}

/// A group with its members.
pub fn view(group: &Group, zone: &Zone) -> Object {
    let members = group.content.members.iter().map(member);
    list::entry(&group.summary(), zone).with("members", Node::objects("member", members))
}

/// The fields shown of a deleted group.
pub fn deleted(group: GroupId) -> Object {
    Object::new().with("grpIdentifier", group.get())
}

fn member(member: &GroupMember) -> Object {
    Object::new()
        .with("bankIdentifier", member.bank.as_str())
        .with("accountNumber", member.number.digits())
        .with("accountName", member.name.as_str())
}

/// Reads the number of a group.
pub(crate) fn group_id(text: &str) -> Result<GroupId, &'static str> {
    let unknown = "must be the number of a group; GET /transfer/group lists those you have";
    crate::transaction::number(text)
        .map(GroupId::new)
        .ok_or(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{lagos, pretty};
    use testkit::builders::group;

    #[test]
    fn a_group_shows_its_version_and_its_members_in_their_order() {
        insta::assert_snapshot!(pretty(&view(&group("shop", 7), &lagos()).into()), @r#"
        {
          grpIdentifier: 7
          grpName: "Staff"
          version: 1
          grpCount: 2
          grpCreated: "15-01-2026 10:00:00"
          grpUpdated: "15-01-2026 10:00:00"
          members: [
            member {
              bankIdentifier: "00000000058"
              accountNumber: "0000000001"
              accountName: "Member 1"
            }
            member {
              bankIdentifier: "00000000058"
              accountNumber: "0000000002"
              accountName: "Member 2"
            }
          ]
        }
        "#);
        assert_eq!(path(group("shop", 7).id), "/transfer/group?grpIdentifier=7");
    }
}
