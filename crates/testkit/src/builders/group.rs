//! Groups of bank accounts, in few words.

use super::{account_id, at};
use domain::bank::{
    AccountNumber, BankIdentifier, Group, GroupContent, GroupId, GroupLabel, GroupMember,
    GroupVersion,
};
use domain::reference::TransactionNumber;

/// What a merchant says of a group with so many members.
pub fn group_content(name: &str, members: u32) -> GroupContent {
    let member = |nth| GroupMember {
        bank: BankIdentifier::parse("00000000058").expect("a bank"),
        number: AccountNumber::parse(&format!("{nth:010}")).expect("an account number"),
        name: label(&format!("Member {nth}")),
    };
    GroupContent {
        name: label(name),
        members: (1..=members).map(member).collect(),
    }
}

/// The group of a number, as an account called `account` made it.
pub fn group(account: &str, number: u64) -> Group {
    Group {
        account: account_id(account),
        id: group_id(number),
        version: GroupVersion::FIRST,
        content: group_content("Staff", 2),
        created_at: at(0),
        updated_at: at(0),
    }
}

/// The number of a group.
pub fn group_id(number: u64) -> GroupId {
    GroupId::new(TransactionNumber::try_new(number).expect("a number"))
}

fn label(text: &str) -> GroupLabel {
    GroupLabel::parse(text).expect("a label")
}
