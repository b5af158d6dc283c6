//! `POST /transfer/group/update` and `POST /transfer/group/delete`. Both must name the version that
//! the merchant has seen.

use super::{content, group_id};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::violations::Violations;
use domain::bank::{GroupContent, GroupId, GroupVersion};

/// A group in the version that the merchant has seen.
pub type SeenGroup = (GroupId, GroupVersion);

/// Reads what a group is to say from now on.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(SeenGroup, GroupContent), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let group = seen(&mut reader);
    let content = content::read(&mut reader, handling);
    reader.finish(|| Ok((group?, content?)))
}

/// Reads which group is to be deleted.
pub fn parse_deletion(
    attributes: &Attributes,
    handling: Handling,
) -> Result<SeenGroup, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let group = seen(&mut reader);
    reader.finish(|| group)
}

fn seen(reader: &mut FieldReader<'_>) -> Result<SeenGroup, InvalidField> {
    let group = reader.required(&attribute::GROUP, group_id);
    let version = reader.required(&attribute::VERSION, |text| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let version = text.parse().ok().filter(|_| digits);
        let wanted = "must be the version of the group as you have seen it, from 1 to 4294967295";
        version.and_then(GroupVersion::new).ok_or(wanted)
    });
    Ok((group?, version?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    #[test]
    fn a_change_names_the_group_and_the_version_that_was_seen() {
        let read = |group, version| {
            let pairs = [("grpIdentifier", group), ("version", version)];
            parse_deletion(&body(&pairs), Handling::Strict)
        };
        let (group, version) = read("7", "\"2\"").unwrap();
        assert_eq!((group.get(), version.get()), (7, 2));
        insta::assert_snapshot!(faults(read("0", "0")), @r"
        400 -
        grpIdentifier: must be the number of a group; GET /transfer/group lists those you have
        version: must be the version of the group as you have seen it, from 1 to 4294967295
        ");
        let nothing = parse(&body(&[("x", "1")]), Handling::Strict);
        insta::assert_snapshot!(faults(nothing), @r"
        400 -
        grpIdentifier: is required; add it to the body
        version: is required; add it to the body
        grpName: is required; add it to the body
        members: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
    }
}
