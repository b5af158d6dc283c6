//! Records of what is known for certain: what was handed over, what was disproven, who ruled. They
//! must keep every word of the evidence.

use super::RecordError;
use super::scalar::{Moment, MoneyRecord, Text, decimal, valid};
use domain::electricity::{Token, TokenNumber, Vend};
use domain::provider::{Fulfilment, Refusal};
use domain::transaction::{Absence, AttemptNumber, Disproven, Evidence, Proof, Ruling, Verdict};
use serde::{Deserialize, Serialize};

pub(super) fn attempt_number(number: u8) -> Result<AttemptNumber, RecordError> {
    valid(AttemptNumber::try_new(number), "attempt")
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FulfilmentRecord<'a> {
    Airtime,
    #[serde(borrow)]
    Electricity(VendRecord<'a>),
}

impl<'a> From<&'a Fulfilment> for FulfilmentRecord<'a> {
    fn from(fulfilment: &'a Fulfilment) -> Self {
        match fulfilment {
            Fulfilment::Airtime => Self::Airtime,
            Fulfilment::Electricity(vend) => Self::Electricity(vend.into()),
        }
    }
}

impl FulfilmentRecord<'_> {
    pub(super) fn restore(self) -> Result<Fulfilment, RecordError> {
        match self {
            Self::Airtime => Ok(Fulfilment::Airtime),
            Self::Electricity(vend) => vend.restore().map(Fulfilment::Electricity),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VendRecord<'a> {
    #[serde(borrow)]
    receipt: Text<'a>,
    #[serde(borrow)]
    debt: MoneyRecord<'a>,
    #[serde(borrow)]
    outstanding: MoneyRecord<'a>,
    last_purchase: Option<Moment>,
    #[serde(borrow)]
    last_paid: Option<MoneyRecord<'a>>,
    #[serde(borrow)]
    token: Option<TokenRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TokenRecord<'a> {
    #[serde(borrow)]
    number: Text<'a>,
    #[serde(borrow)]
    cost: MoneyRecord<'a>,
    units: String,
}

impl<'a> From<&'a Vend> for VendRecord<'a> {
    fn from(vend: &'a Vend) -> Self {
        let token = vend.token.as_ref().map(|token| TokenRecord {
            number: token.number.digits().into(),
            cost: token.cost.into(),
            units: token.units.to_string(),
        });
        Self {
            receipt: (&vend.receipt).into(),
            debt: vend.debt.into(),
            outstanding: vend.outstanding.into(),
            last_purchase: vend.last_purchase.map(Into::into),
            last_paid: vend.last_paid.map(Into::into),
            token,
        }
    }
}

impl VendRecord<'_> {
    fn restore(self) -> Result<Vend, RecordError> {
        let last_paid = self.last_paid.map(|paid| paid.restore("last_paid"));
        Ok(Vend {
            receipt: self.receipt.into_owned(),
            debt: self.debt.restore("debt")?,
            outstanding: self.outstanding.restore("outstanding")?,
            last_purchase: self.last_purchase.map(Into::into),
            last_paid: last_paid.transpose()?,
            token: self.token.map(|token| token.restore()).transpose()?,
        })
    }
}

impl TokenRecord<'_> {
    fn restore(&self) -> Result<Token, RecordError> {
        Ok(Token {
            number: valid(TokenNumber::parse(&self.number), "token")?,
            cost: self.cost.restore("token cost")?,
            units: decimal(&self.units, "units")?,
        })
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct AbsenceRecord {
    sightings: u32,
    first: Moment,
    last: Moment,
}

impl From<Absence> for AbsenceRecord {
    fn from(absence: Absence) -> Self {
        Self {
            sightings: absence.sightings,
            first: absence.first.into(),
            last: absence.last.into(),
        }
    }
}

impl From<AbsenceRecord> for Absence {
    fn from(record: AbsenceRecord) -> Self {
        Self {
            sightings: record.sightings,
            first: record.first.into(),
            last: record.last.into(),
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

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ProofRecord<'a> {
    NotSent,
    Refused {
        #[serde(borrow)]
        code: Text<'a>,
        #[serde(borrow)]
        reason: Text<'a>,
    },
    Absent(AbsenceRecord),
    TakenBack,
    #[serde(borrow)]
    Ruled(RulingRecord<'a>),
}

impl<'a> From<&'a Proof> for ProofRecord<'a> {
    fn from(proof: &'a Proof) -> Self {
        match proof {
            Proof::NotSent => Self::NotSent,
            Proof::Refused(refusal) => Self::Refused {
                code: (&refusal.code).into(),
                reason: (&refusal.reason).into(),
            },
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
            Self::Refused { code, reason } => Proof::Refused(Refusal {
                code: code.into_owned(),
                reason: reason.into_owned(),
            }),
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
    at: Moment,
    contradicted_at: Option<Moment>,
}

impl<'a> From<&'a Disproven> for DisprovenRecord<'a> {
    fn from(disproven: &'a Disproven) -> Self {
        Self {
            attempt: disproven.attempt.get(),
            proof: (&disproven.proof).into(),
            at: disproven.at.into(),
            contradicted_at: disproven.contradicted_at.map(Into::into),
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
        })
    }
}
