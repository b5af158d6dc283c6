//! Many payouts as a merchant asks for them at once. It must hold each payout as one that is asked
//! for alone.

use super::{GroupId, GroupMember, Narration, Payout};
use crate::batch::{ITEMS_MAX, OnFailure};
use crate::money::Money;
use crate::reference::{InvalidReference, MerchantReference};

/// A request for payouts to bank accounts, all of them or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkPayout {
    /// The merchant's reference of the batch.
    pub reference: MerchantReference,
    /// What becomes of the rest once one has failed.
    pub on_failure: OnFailure,
    /// Who is paid what.
    pub payees: BulkPayees,
}

/// Who is paid what by a bulk transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkPayees {
    /// The payouts, 1 to [`ITEMS_MAX`].
    Each(Vec<Payout>),
    /// Each member of a group, the same.
    Group(GroupPayout),
}

/// The same amount for each member of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPayout {
    /// The group, as it is when the batch is opened.
    pub group: GroupId,
    /// What each member is paid.
    pub amount: Money,
    /// What each transfer says.
    pub narration: Narration,
}

impl GroupPayout {
    /// Longest reference of a batch for a group: a dot and a place of four digits are added to it
    /// for each member.
    pub const REFERENCE_MAX: usize = MerchantReference::LENGTH_MAX - 5;

    /// The payouts to the members in their order, under the reference of the batch and their
    /// places, from `.0001`.
    ///
    /// # Errors
    /// When the reference of the batch is over [`Self::REFERENCE_MAX`].
    pub fn payouts(
        &self,
        batch: &MerchantReference,
        members: Vec<GroupMember>,
    ) -> Result<Vec<Payout>, InvalidReference> {
        let payout = |(place, member): (u32, GroupMember)| {
            Ok(Payout {
                reference: MerchantReference::parse(&format!("{batch}.{place:04}"))?,
                bank: member.bank,
                number: member.number,
                amount: self.amount,
                narration: self.narration.clone(),
                salary: None,
            })
        };
        (1..=ITEMS_MAX).zip(members).map(payout).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::{AccountNumber, BankIdentifier, GroupLabel};
    use crate::money::Currency;
    use crate::reference::TransactionNumber;

    fn payouts(batch: &str) -> Result<Vec<Payout>, InvalidReference> {
        let asked = GroupPayout {
            group: GroupId::new(TransactionNumber::try_new(7).unwrap()),
            amount: Money::parse("500", Currency::Ngn).unwrap(),
            narration: Narration::parse("Pay").unwrap(),
        };
        let members = (0..1_000).map(|n| GroupMember {
            bank: BankIdentifier::parse("00000000058").unwrap(),
            number: AccountNumber::parse(&format!("{n:010}")).unwrap(),
            name: GroupLabel::parse("Member").unwrap(),
        });
        asked.payouts(&MerchantReference::parse(batch).unwrap(), members.collect())
    }

    #[test]
    fn each_member_is_paid_under_the_reference_of_the_batch_and_its_place() {
        let paid = payouts("run-1").unwrap();
        assert_eq!(paid.len(), 1_000);
        assert_eq!(paid[0].reference.as_str(), "run-1.0001");
        assert_eq!(paid[999].reference.as_str(), "run-1.1000");
        assert_eq!(paid[999].number.digits(), "0000000999");
        assert!(paid.iter().all(|payout| payout.amount.minor() == 50_000));
    }

    #[test]
    fn every_reference_that_is_short_enough_has_room_for_the_places() {
        assert!(payouts(&"x".repeat(GroupPayout::REFERENCE_MAX)).is_ok());
        assert!(payouts(&"x".repeat(GroupPayout::REFERENCE_MAX + 1)).is_err());
    }
}
