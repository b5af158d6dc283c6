//! Records of the approvals that payments wait for.

use super::RecordError;
use super::scalar::{StoredTimestamp, Text, valid};
use domain::access::AccountUserId;
use domain::batch::BatchNumber;
use domain::credential::KeyId;
use domain::reference::TransactionNumber;
use domain::transaction::{Approval, ApprovalDecision, ApprovalVerdict, KeyHolder};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ApprovalRecord<'a> {
    asked_by: HolderRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch: Option<u64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    decision: Option<DecisionRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct HolderRecord {
    key: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct DecisionRecord<'a> {
    #[serde(borrow)]
    verdict: Text<'a>,
    by: HolderRecord,
    at: StoredTimestamp,
}

/// The word of a verdict.
const fn verdict_code(verdict: ApprovalVerdict) -> &'static str {
    match verdict {
        ApprovalVerdict::Approved => "approved",
        ApprovalVerdict::Refused => "refused",
    }
}

impl From<&Approval> for ApprovalRecord<'_> {
    fn from(approval: &Approval) -> Self {
        Self {
            asked_by: approval.asked_by.into(),
            batch: approval.batch.map(BatchNumber::get),
            decision: approval.decision.map(|decision| DecisionRecord {
                verdict: verdict_code(decision.verdict).into(),
                by: decision.by.into(),
                at: decision.at.into(),
            }),
        }
    }
}

impl From<KeyHolder> for HolderRecord {
    fn from(holder: KeyHolder) -> Self {
        Self {
            key: holder.key.0,
            user: holder.user.map(AccountUserId::get),
        }
    }
}

impl ApprovalRecord<'_> {
    pub(super) fn restore(self) -> Result<Approval, RecordError> {
        Ok(Approval {
            asked_by: self.asked_by.restore()?,
            batch: self.batch.map(batch).transpose()?,
            decision: self.decision.map(DecisionRecord::restore).transpose()?,
        })
    }
}

fn batch(number: u64) -> Result<BatchNumber, RecordError> {
    let number = valid(TransactionNumber::try_new(number), "batch")?;
    Ok(BatchNumber::new(number))
}

impl DecisionRecord<'_> {
    fn restore(self) -> Result<ApprovalDecision, RecordError> {
        let all = [ApprovalVerdict::Approved, ApprovalVerdict::Refused];
        let verdict = all
            .into_iter()
            .find(|verdict| verdict_code(*verdict) == self.verdict.as_ref());
        Ok(ApprovalDecision {
            verdict: verdict.ok_or(RecordError::Value("verdict"))?,
            by: self.by.restore()?,
            at: self.at.into(),
        })
    }
}

impl HolderRecord {
    fn restore(self) -> Result<KeyHolder, RecordError> {
        let user = self.user.map(|number| {
            let number = valid(TransactionNumber::try_new(number), "user")?;
            Ok(AccountUserId::new(number))
        });
        Ok(KeyHolder {
            key: KeyId(self.key),
            user: user.transpose()?,
        })
    }
}
