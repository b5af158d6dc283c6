//! The approval that a payment waits for. It must be given by another user than the one who asked
//! for the payment, and once.

use crate::access::AccountUserId;
use crate::batch::BatchNumber;
use crate::credential::KeyId;
use crate::time::Timestamp;

/// The key of a request, and the user it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHolder {
    /// The key.
    pub key: KeyId,
    /// Its user; `None` of a key that belongs to the account.
    pub user: Option<AccountUserId>,
}

/// What a payment above a limit needs before it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approval {
    /// What it was asked for with.
    pub asked_by: KeyHolder,
    /// The batch that it is decided of with, where it is a payment of one.
    pub batch: Option<BatchNumber>,
    /// What was decided.
    pub decision: Option<ApprovalDecision>,
}

/// What was decided of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalDecision {
    /// What.
    pub verdict: ApprovalVerdict,
    /// With which key.
    pub by: KeyHolder,
    /// When.
    pub at: Timestamp,
}

/// Whether a payment is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApprovalVerdict {
    /// It is.
    Approved,
    /// It is not; the price is released.
    Refused,
}

/// Why a key may not approve a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalForbidden {
    /// It belongs to the account, as the one does that the payment was asked for with.
    NoUser,
    /// It belongs to the user who asked for the payment.
    SameUser,
}

impl Approval {
    /// One that is to be given.
    pub const fn awaited(asked_by: KeyHolder) -> Self {
        Self {
            asked_by,
            batch: None,
            decision: None,
        }
    }

    /// The same of a payment of a batch.
    #[must_use]
    pub const fn in_batch(self, batch: BatchNumber) -> Self {
        Self {
            batch: Some(batch),
            ..self
        }
    }

    /// Whether it is to be given.
    pub const fn is_awaited(&self) -> bool {
        self.decision.is_none()
    }

    /// Whether a key may decide so. Who asked for a payment may take it back.
    ///
    /// # Errors
    /// Refuses the approval by a key of the user who asked for the payment; of a payment that was
    /// asked for with a key of the account, by all of those.
    pub fn may_be_decided(
        &self,
        verdict: ApprovalVerdict,
        by: KeyHolder,
    ) -> Result<(), ApprovalForbidden> {
        match (verdict, by.user) {
            (ApprovalVerdict::Refused, _) => Ok(()),
            (ApprovalVerdict::Approved, user) if user != self.asked_by.user => Ok(()),
            (ApprovalVerdict::Approved, None) => Err(ApprovalForbidden::NoUser),
            (ApprovalVerdict::Approved, Some(_)) => Err(ApprovalForbidden::SameUser),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::TransactionNumber;

    fn holder(key: i64, user: Option<u64>) -> KeyHolder {
        let user = user.map(|id| AccountUserId::new(TransactionNumber::try_new(id).unwrap()));
        KeyHolder {
            key: KeyId(key),
            user,
        }
    }

    #[test]
    fn another_user_decides_than_the_one_who_asked() {
        let one = 1_000_000_001;
        let two = 1_000_000_002;
        let of_account = Approval::awaited(holder(1, None));
        let of_one = Approval::awaited(holder(1, Some(one)));
        let decides = |approval: Approval, by| {
            assert_eq!(
                approval.may_be_decided(ApprovalVerdict::Refused, by),
                Ok(())
            );
            approval.may_be_decided(ApprovalVerdict::Approved, by)
        };
        assert_eq!(decides(of_account, holder(2, Some(two))), Ok(()));
        assert_eq!(decides(of_one, holder(2, Some(two))), Ok(()));
        assert_eq!(decides(of_one, holder(2, None)), Ok(()));
        for key in [1, 2] {
            let same = Err(ApprovalForbidden::SameUser);
            assert_eq!(decides(of_one, holder(key, Some(one))), same);
            let account = Err(ApprovalForbidden::NoUser);
            assert_eq!(decides(of_account, holder(key, None)), account);
        }
    }
}
