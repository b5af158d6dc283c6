//! Records of what is known for certain: what was disproven, who ruled and on what evidence. They
//! must keep every word of it.

use super::RecordError;
use super::fulfilment::FulfilmentRecord;
use super::scalar::{StoredTimestamp, Text, millis, valid};
use domain::provider::{Refusal, RefusalKind};
use domain::transaction::{Absence, AttemptNumber, Disproven, Evidence, Proof, Ruling, Verdict};
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub(super) fn attempt_number(number: u8) -> Result<AttemptNumber, RecordError> {
    valid(AttemptNumber::try_new(number), "attempt")
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct AbsenceRecord {
    sightings: u32,
    first: StoredTimestamp,
    last: StoredTimestamp,
    /// Absent in records of before ages were counted.
    #[serde(default)]
    last_age_ms: u64,
}

impl From<Absence> for AbsenceRecord {
    fn from(absence: Absence) -> Self {
        Self {
            sightings: absence.sightings,
            first: absence.first.into(),
            last: absence.last.into(),
            last_age_ms: millis(absence.last_age),
        }
    }
}

impl From<AbsenceRecord> for Absence {
    fn from(record: AbsenceRecord) -> Self {
        Self {
            sightings: record.sightings,
            first: record.first.into(),
            last: record.last.into(),
            last_age: Duration::from_millis(record.last_age_ms),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RulingRecord<'a> {
    /// What was handed over; none where it was ruled not delivered.
    #[serde(borrow)]
    delivered: Option<FulfilmentRecord<'a>>,
    #[serde(borrow)]
    by: Text<'a>,
    #[serde(borrow)]
    confirmed_by: Option<Text<'a>>,
    #[serde(borrow)]
    evidence: Text<'a>,
}

impl<'a> From<&'a Ruling> for RulingRecord<'a> {
    fn from(ruling: &'a Ruling) -> Self {
        let delivered = match &ruling.verdict {
            Verdict::Delivered(fulfilment) => Some(fulfilment.into()),
            Verdict::NotDelivered => None,
        };
        Self {
            delivered,
            by: (&ruling.by).into(),
            confirmed_by: ruling.confirmed_by.as_ref().map(Into::into),
            evidence: (&ruling.evidence).into(),
        }
    }
}

impl RulingRecord<'_> {
    fn restore(self) -> Result<Ruling, RecordError> {
        let verdict = match self.delivered {
            Some(fulfilment) => Verdict::Delivered(fulfilment.restore()?),
            None => Verdict::NotDelivered,
        };
        Ok(Ruling {
            verdict,
            by: self.by.into_owned(),
            confirmed_by: self.confirmed_by.map(Text::into_owned),
            evidence: self.evidence.into_owned(),
        })
    }
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EvidenceRecord<'a> {
    Answered,
    Found,
    #[serde(borrow)]
    Ruled(RulingRecord<'a>),
}

impl<'a> From<&'a Evidence> for EvidenceRecord<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        match evidence {
            Evidence::Answered => Self::Answered,
            Evidence::Found => Self::Found,
            Evidence::Ruled(ruling) => Self::Ruled(ruling.into()),
        }
    }
}

impl EvidenceRecord<'_> {
    pub(super) fn restore(self) -> Result<Evidence, RecordError> {
        match self {
            Self::Answered => Ok(Evidence::Answered),
            Self::Found => Ok(Evidence::Found),
            Self::Ruled(ruling) => ruling.restore().map(Evidence::Ruled),
        }
    }
}

/// A refusal. Records of before there were kinds have none: every refusal was the order's.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RefusalRecord<'a> {
    #[serde(default, skip_serializing_if = "RefusalKindRecord::is_order")]
    kind: RefusalKindRecord,
    #[serde(borrow)]
    code: Text<'a>,
    #[serde(borrow)]
    reason: Text<'a>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RefusalKindRecord {
    #[default]
    Order,
    Account,
    Moment {
        retry_after_ms: Option<u64>,
    },
    Lookalike,
}

impl RefusalKindRecord {
    fn is_order(&self) -> bool {
        *self == Self::Order
    }
}

impl<'a> From<&'a Refusal> for RefusalRecord<'a> {
    fn from(refusal: &'a Refusal) -> Self {
        let kind = match refusal.kind {
            RefusalKind::Order => RefusalKindRecord::Order,
            RefusalKind::Account => RefusalKindRecord::Account,
            RefusalKind::Moment { retry_after } => RefusalKindRecord::Moment {
                retry_after_ms: retry_after.map(millis),
            },
            RefusalKind::Lookalike => RefusalKindRecord::Lookalike,
        };
        Self {
            kind,
            code: (&refusal.code).into(),
            reason: (&refusal.reason).into(),
        }
    }
}

impl RefusalRecord<'_> {
    pub(super) fn restore(self) -> Refusal {
        let kind = match self.kind {
            RefusalKindRecord::Order => RefusalKind::Order,
            RefusalKindRecord::Account => RefusalKind::Account,
            RefusalKindRecord::Moment { retry_after_ms } => RefusalKind::Moment {
                retry_after: retry_after_ms.map(Duration::from_millis),
            },
            RefusalKindRecord::Lookalike => RefusalKind::Lookalike,
        };
        Refusal {
            kind,
            code: self.code.into_owned(),
            reason: self.reason.into_owned(),
        }
    }
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ProofRecord<'a> {
    NotSent,
    #[serde(borrow)]
    Refused(RefusalRecord<'a>),
    Absent(AbsenceRecord),
    TakenBack,
    #[serde(borrow)]
    Ruled(RulingRecord<'a>),
}

impl<'a> From<&'a Proof> for ProofRecord<'a> {
    fn from(proof: &'a Proof) -> Self {
        match proof {
            Proof::NotSent => Self::NotSent,
            Proof::Refused(refusal) => Self::Refused(refusal.into()),
            Proof::Absent(absence) => Self::Absent((*absence).into()),
            Proof::TakenBack => Self::TakenBack,
            Proof::Ruled(ruling) => Self::Ruled(ruling.into()),
        }
    }
}

impl ProofRecord<'_> {
    fn restore(self) -> Result<Proof, RecordError> {
        Ok(match self {
            Self::NotSent => Proof::NotSent,
            Self::Refused(refusal) => Proof::Refused(refusal.restore()),
            Self::Absent(absence) => Proof::Absent(absence.into()),
            Self::TakenBack => Proof::TakenBack,
            Self::Ruled(ruling) => Proof::Ruled(ruling.restore()?),
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DisprovenRecord<'a> {
    attempt: u8,
    #[serde(borrow)]
    proof: ProofRecord<'a>,
    at: StoredTimestamp,
    contradicted_at: Option<StoredTimestamp>,
    taken_back_at: Option<StoredTimestamp>,
}

impl<'a> From<&'a Disproven> for DisprovenRecord<'a> {
    fn from(disproven: &'a Disproven) -> Self {
        Self {
            attempt: disproven.attempt.get(),
            proof: (&disproven.proof).into(),
            at: disproven.at.into(),
            contradicted_at: disproven.contradicted_at.map(Into::into),
            taken_back_at: disproven.taken_back_at.map(Into::into),
        }
    }
}

impl DisprovenRecord<'_> {
    pub(super) fn restore(self) -> Result<Disproven, RecordError> {
        Ok(Disproven {
            attempt: attempt_number(self.attempt)?,
            proof: self.proof.restore()?,
            at: self.at.into(),
            contradicted_at: self.contradicted_at.map(Into::into),
            taken_back_at: self.taken_back_at.map(Into::into),
        })
    }
}
