//! Groups of bank accounts read back. A row must pass every rule that a fresh group passes.

use super::scalar::{Text, valid};
use super::{RecordError, opened};
use crate::PART;
use crate::field_cipher::FieldCipher;
use domain::account::AccountId;
use domain::bank::{
    AccountNumber, BankIdentifier, Group, GroupContent, GroupId, GroupLabel, GroupMember,
    GroupSummary, GroupVersion,
};
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use ports::{PortError, PortErrorKind};
use serde::{Deserialize, Serialize};

/// A member as stored: bank, account number, name.
#[derive(Serialize, Deserialize)]
struct MemberRecord<'a>(
    #[serde(borrow)] Text<'a>,
    #[serde(borrow)] Text<'a>,
    #[serde(borrow)] Text<'a>,
);

/// A group as stored, but for its members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupRow {
    /// Whose it is.
    pub account: String,
    /// Its number.
    pub id: i64,
    /// Which state of it.
    pub version: i64,
    /// Its name.
    pub name: String,
    /// How many members it has.
    pub member_count: i64,
    /// When it was made, in milliseconds.
    pub created_at: i64,
    /// When it became as it is, in milliseconds.
    pub updated_at: i64,
}

impl GroupRow {
    /// The group with the members of its document.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the group.
    pub fn restore(&self, document: String, cipher: &FieldCipher) -> Result<Group, PortError> {
        let id = self.id.to_string();
        let document = cipher.open(&place(&self.account, &id), document);
        let read = opened("members", &document).and_then(|()| self.group(&document));
        read.map_err(|error| self.unreadable(error))
    }

    /// The group without its members.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the group.
    pub fn summary(&self) -> Result<GroupSummary, PortError> {
        self.read().map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: RecordError) -> PortError {
        let what = format!("group {} of {} cannot be read", self.id, self.account);
        PortError::caused(PART, what, error).with_trouble(PortErrorKind::Record)
    }

    fn group(&self, document: &str) -> Result<Group, RecordError> {
        let GroupSummary {
            id,
            version,
            name,
            members: count,
            created_at,
            updated_at,
        } = self.read()?;
        let members = members(document)?;
        if u32::try_from(members.len()) != Ok(count) {
            return Err(RecordError::Value("member_count"));
        }
        Ok(Group {
            account: valid(AccountId::parse(&self.account), "account")?,
            id,
            version,
            content: GroupContent { name, members },
            created_at,
            updated_at,
        })
    }

    fn read(&self) -> Result<GroupSummary, RecordError> {
        let id = u64::try_from(self.id).unwrap_or_default();
        let version = u32::try_from(self.version).ok().and_then(GroupVersion::new);
        Ok(GroupSummary {
            id: GroupId::new(valid(TransactionNumber::try_new(id), "id")?),
            version: version.ok_or(RecordError::Value("version"))?,
            name: valid(GroupLabel::parse(&self.name), "name")?,
            members: valid(u32::try_from(self.member_count), "member_count")?,
            created_at: Timestamp::from_millis(self.created_at),
            updated_at: Timestamp::from_millis(self.updated_at),
        })
    }
}

fn members(document: &str) -> Result<Vec<GroupMember>, RecordError> {
    let shape = |source| RecordError::Shape {
        document: "members",
        source,
    };
    let records: Vec<MemberRecord<'_>> = serde_json::from_str(document).map_err(shape)?;
    let member = |MemberRecord(bank, number, name): MemberRecord<'_>| {
        Ok(GroupMember {
            bank: valid(BankIdentifier::parse(&bank), "bank")?,
            number: valid(AccountNumber::parse(&number), "number")?,
            name: valid(GroupLabel::parse(&name), "name")?,
        })
    };
    records.into_iter().map(member).collect()
}

/// The sealed document of the members of a group, in their order, and how many they are.
///
/// # Errors
/// When it cannot be written.
pub fn group_members(
    (account, id): (&AccountId, GroupId),
    content: &GroupContent,
    cipher: &FieldCipher,
) -> Result<(String, i64), PortError> {
    let record = |member: &GroupMember| {
        let GroupMember { bank, number, name } = member;
        [
            bank.as_str().to_owned(),
            number.digits().to_owned(),
            name.as_str().to_owned(),
        ]
    };
    let records: Vec<_> = content.members.iter().map(record).collect();
    let broken = |error| PortError::caused(PART, "write the members of a group", error);
    let document = serde_json::to_string(&records).map_err(broken)?;
    let sealed = cipher.seal(&place(account.as_str(), &id.to_string()), &document)?;
    Ok((sealed, i64::try_from(records.len()).unwrap_or(i64::MAX)))
}

const fn place<'a>(account: &'a str, id: &'a str) -> [&'a str; 3] {
    ["payout_groups.members", account, id]
}

#[cfg(test)]
mod tests {
    use super::*;
    use key_ring::KeyRing;

    fn row() -> GroupRow {
        GroupRow {
            account: "shop".into(),
            id: 7,
            version: 2,
            name: "Staff".into(),
            member_count: 1,
            created_at: 1,
            updated_at: 2,
        }
    }

    const MEMBERS: &str = r#"[["00000000058","0123456789","Ada"]]"#;

    #[test]
    fn a_group_is_read_back_as_it_was_written() {
        let cipher = cipher();
        let group = row().restore(MEMBERS.to_owned(), &cipher).unwrap();
        let named = (&group.account, group.id);
        let (sealed, count) = group_members(named, &group.content, &cipher).unwrap();
        assert_eq!(count, 1);
        assert_eq!(row().restore(sealed, &cipher).unwrap(), group);
        assert_eq!(row().summary().unwrap().name, group.content.name);
    }

    #[test]
    fn members_are_sealed_and_open_in_their_row_only() {
        let cipher = cipher();
        let group = row().restore(MEMBERS.to_owned(), &cipher).unwrap();
        let named = (&group.account, group.id);
        let (sealed, _) = group_members(named, &group.content, &cipher).unwrap();
        assert!(
            !sealed.contains("0123456789") && !sealed.contains("Ada"),
            "{sealed}"
        );
        let other = GroupRow { id: 8, ..row() };
        assert!(other.restore(sealed.clone(), &cipher).is_err());
        let other = GroupRow {
            account: "other".into(),
            ..row()
        };
        assert!(other.restore(sealed, &cipher).is_err());
    }

    fn cipher() -> FieldCipher {
        FieldCipher::new(&KeyRing::generate([7; 32], ""), [7; 16])
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_named() {
        let broken: [fn(&mut GroupRow); 4] = [
            |row| row.version = 0,
            |row| row.id = -1,
            |row| row.name = " ".into(),
            |row| row.member_count = 2,
        ];
        for break_it in broken {
            let mut row = row();
            break_it(&mut row);
            let error = row.restore(MEMBERS.to_owned(), &cipher()).unwrap_err();
            assert!(error.to_string().contains("group"), "{error}");
        }
        let short = row().restore(r#"[["058","0123456789","Ada"]]"#.to_owned(), &cipher());
        assert!(short.is_err());
        assert!(row().restore("{}".to_owned(), &cipher()).is_err());
    }
}
