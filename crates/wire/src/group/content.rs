//! `POST /transfer/group`. It must name every member that cannot be read, by its place.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::bank::{GroupContent, GroupLabel, GroupMember};
use std::collections::HashMap;

/// Reads a group that is to be made.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<GroupContent, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let content = read(&mut reader, handling);
    reader.finish(|| content)
}

/// The name and the members; the violations are with the reader.
pub(super) fn read(
    reader: &mut FieldReader<'_>,
    handling: Handling,
) -> Result<GroupContent, InvalidField> {
    let name = reader.required(&attribute::GROUP_NAME, GroupLabel::parse);
    let members = reader.objects(&attribute::MEMBERS, |object| member(object, handling));
    let members = members.and_then(|members| {
        once_each(reader, &members)?;
        Ok(members)
    });
    Ok(GroupContent {
        name: name?,
        members: members?,
    })
}

fn member(attributes: &Attributes, handling: Handling) -> Result<GroupMember, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let bank = reader.bank();
    let number = reader.bank_account();
    let name = reader.required(&attribute::ACCOUNT_NAME, GroupLabel::parse);
    reader.finish(|| {
        Ok(GroupMember {
            bank: bank?,
            number: number?,
            name: name?,
        })
    })
}

/// An account that is in a group twice would be paid twice.
fn once_each(reader: &mut FieldReader<'_>, members: &[GroupMember]) -> Result<(), InvalidField> {
    let mut earlier = HashMap::new();
    let mut once = Ok(());
    for (place, member) in members.iter().enumerate() {
        if let Some(other) = earlier.insert((&member.bank, &member.number), place) {
            let message = format!("is the account of members.{other} as well; name it once");
            let at = (&attribute::MEMBERS, place);
            once = Err(reader.fault_of_object(at, &attribute::BANK_ACCOUNT, &message));
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    fn member(number: &str) -> String {
        format!(
            r#"{{"bankIdentifier":"00000000058","accountNumber":"{number}","accountName":"Ada"}}"#
        )
    }

    fn read(name: &str, members: &str) -> Result<GroupContent, Violations> {
        let attributes = body(&[("grpName", name), ("members", members)]);
        parse(&attributes, Handling::Strict)
    }

    #[test]
    fn members_are_read_in_their_order() {
        let members = format!("[{},{}]", member("0123456789"), member("0000000001"));
        let group = read("\" Staff \"", &members).unwrap();
        assert_eq!(group.name.as_str(), "Staff");
        let numbers = group.members.iter().map(|member| member.number.digits());
        assert_eq!(numbers.collect::<Vec<_>>(), ["0123456789", "0000000001"]);
        assert_eq!(group.members[0].name.as_str(), "Ada");
    }

    #[test]
    fn everything_that_is_wrong_is_named_by_its_place() {
        let good = member("0123456789");
        let wrong = member("0000000001")
            .replace("Ada", " ")
            .replace("058", "58");
        let members = format!("[{good},{wrong}]");
        insta::assert_snapshot!(faults(read("\"\"", &members)), @r"
        400 840
        grpName: must not be empty
        members.1.bankIdentifier: must be the identifier of a bank, 11 capital letters and digits
        members.1.accountName: must not be empty
        ");
        insta::assert_snapshot!(faults(read("5", "[]")), @r"
        400 -
        grpName: must be a string
        members: must hold at least one object
        ");
        let nothing = parse(&body(&[("x", "1")]), Handling::Strict);
        insta::assert_snapshot!(faults(nothing), @r"
        400 -
        grpName: is required; add it to the body
        members: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn an_account_is_a_member_once() {
        let (one, other) = (member("0123456789"), member("0000000001"));
        let members = format!("[{one},{other},{one}]");
        insta::assert_snapshot!(faults(read("\"Staff\"", &members)), @r"
        400 842
        members.2.accountNumber: is the account of members.0 as well; name it once
        ");
    }
}
