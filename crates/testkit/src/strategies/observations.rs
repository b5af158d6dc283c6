//! Observations of a transaction that is not named yet: `about` applies one to a transaction. Every
//! kind of observation must be among them, wrong and late ones too.

use super::{calls, flow_runs, hlr_reports, lookup_findings, message_deliveries, rcs_deliveries};
use crate::builders::{current_attempt, fulfilment, one_more, receipt_of, unfinished_fulfilment};
use domain::hlr::HlrReport;
use domain::ivr::FlowRun;
use domain::messaging::MessageDelivery;
use domain::paid_lookup::LookupFindings;
use domain::provider::{
    Fulfilment, QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome, UnknownCause,
};
use domain::rcs::RcsDelivery;
use domain::reference::ProviderReference;
use domain::sms::{DeliveryStatus, Dispatch};
use domain::transaction::{AttemptNumber, Observation, Ruling, Transaction, Verdict};
use domain::voice::Call;
use proptest::prelude::*;
use std::time::Duration;

/// An observation of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArbitraryObservation {
    /// An answer or, where `asked`, a finding about an attempt: the first or the current one.
    Said {
        /// Whether it answers a query rather than the submission.
        asked: bool,
        /// Whether it is about the first attempt even where a second is under way.
        first: bool,
        /// What was said.
        word: ObservationKind,
    },
    /// The sending instance is gone.
    Takeover,
    /// A person decided so, with these words.
    Ruled {
        /// Whether the decision is that it was delivered.
        delivered: bool,
        /// The operator, and the evidence.
        words: String,
    },
}

/// What a provider can answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObservationKind {
    /// Delivered as ordered.
    Delivered,
    /// Delivered, with the details some families report: the status of each part of a message, the
    /// answer of a register.
    Detailed(Box<Details>),
    /// Delivered, another amount.
    OtherAmount,
    /// Delivered, under another reference.
    OtherReference(String),
    /// Accepted, what completes the order still missing.
    Unfinished,
    /// Refused.
    Declined(Refusal),
    /// Being processed.
    Pending,
    /// Nothing definite: to a submission an unknown outcome, to a query an unknown finding.
    Unknown(UnknownCause),
    /// To a submission: never sent. To a query: no trace.
    Nothing,
    /// Delivered and taken back.
    TakenBack,
}

/// Details of a delivery, by family; a family takes its own and ignores the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// Statuses of the parts of a message, repeated where it has more parts.
    pub parts: Vec<DeliveryStatus>,
    /// What became of a WhatsApp message.
    pub whatsapp: MessageDelivery,
    /// What became of an RCS message.
    pub rcs: RcsDelivery,
    /// What became of a call.
    pub call: Call,
    /// What became of a call that ran a flow.
    pub run: FlowRun,
    /// What a register answered.
    pub report: HlrReport,
    /// What a lookup found.
    pub findings: LookupFindings,
}

impl Details {
    fn in_place_of(&self, reported: Fulfilment) -> Fulfilment {
        match reported {
            Fulfilment::Sms(dispatch) => {
                let parts = self.parts.iter().copied().cycle();
                let parts = parts.take(dispatch.parts().len()).collect();
                Dispatch::try_from_parts(parts).map_or(Fulfilment::Sms(dispatch), Fulfilment::Sms)
            }
            Fulfilment::Whatsapp(_) => Fulfilment::Whatsapp(self.whatsapp),
            Fulfilment::Rcs(_) => Fulfilment::Rcs(self.rcs),
            Fulfilment::Voice(_) => Fulfilment::Voice(self.call.clone()),
            Fulfilment::Ivr(_) => Fulfilment::Ivr(self.run.clone()),
            Fulfilment::Hlr(_) => Fulfilment::Hlr(self.report.clone()),
            Fulfilment::Lookup(_) => Fulfilment::Lookup(self.findings.clone()),
            same @ (Fulfilment::Airtime
            | Fulfilment::CableTv
            | Fulfilment::Electricity(_)
            | Fulfilment::Internet
            | Fulfilment::Bank
            | Fulfilment::MobileMoney
            | Fulfilment::Card
            | Fulfilment::International(_)
            | Fulfilment::Bill(_)) => same,
        }
    }
}

impl ArbitraryObservation {
    /// The observation about a transaction.
    pub fn about(&self, tx: &Transaction) -> Observation {
        match self {
            Self::Said { asked, first, word } => {
                let attempt = if *first {
                    AttemptNumber::FIRST
                } else {
                    current_attempt(tx)
                };
                if *asked {
                    let finding = word.finding(tx, attempt);
                    Observation::Finding { attempt, finding }
                } else {
                    let outcome = word.outcome(tx, attempt);
                    Observation::Answer { attempt, outcome }
                }
            }
            Self::Takeover => Observation::Takeover {
                attempt: current_attempt(tx),
            },
            Self::Ruled { delivered, words } => Observation::Ruling(Ruling {
                verdict: if *delivered {
                    Verdict::Delivered(fulfilment(&tx.order))
                } else {
                    Verdict::NotDelivered
                },
                by: words.clone(),
                confirmed_by: (words.len() % 2 == 1).then(|| words.clone()),
                evidence: format!("said by {words}"),
            }),
        }
    }
}

impl ObservationKind {
    fn outcome(&self, tx: &Transaction, attempt: AttemptNumber) -> SubmitOutcome {
        match self {
            Self::Declined(refusal) => SubmitOutcome::Declined(refusal.clone()),
            Self::Pending => SubmitOutcome::Pending,
            Self::Unknown(cause) => SubmitOutcome::Unknown(*cause),
            Self::Nothing => SubmitOutcome::NotSent,
            Self::TakenBack => SubmitOutcome::Reversed,
            Self::Delivered
            | Self::Detailed(_)
            | Self::OtherAmount
            | Self::OtherReference(_)
            | Self::Unfinished => SubmitOutcome::Delivered(self.receipt(tx, attempt)),
        }
    }

    fn finding(&self, tx: &Transaction, attempt: AttemptNumber) -> QueryOutcome {
        match self {
            Self::Declined(refusal) => QueryOutcome::Declined(refusal.clone()),
            Self::Pending => QueryOutcome::Pending,
            Self::Unknown(_) => QueryOutcome::Unknown,
            Self::Nothing => QueryOutcome::NotFound,
            Self::TakenBack => QueryOutcome::Reversed,
            Self::Delivered
            | Self::Detailed(_)
            | Self::OtherAmount
            | Self::OtherReference(_)
            | Self::Unfinished => QueryOutcome::Delivered(self.receipt(tx, attempt)),
        }
    }

    fn receipt(&self, tx: &Transaction, attempt: AttemptNumber) -> Receipt {
        let right = receipt_of(&tx.provider_reference(attempt), &tx.order);
        match self {
            Self::OtherAmount => Receipt {
                amount: one_more(right.amount),
                ..right
            },
            Self::OtherReference(text) => Receipt {
                reference: ProviderReference::from_echo(text.clone()),
                ..right
            },
            Self::Unfinished => Receipt {
                fulfilment: unfinished_fulfilment(&right.fulfilment).unwrap_or(right.fulfilment),
                ..right
            },
            Self::Detailed(details) => Receipt {
                fulfilment: details.in_place_of(right.fulfilment),
                ..right
            },
            Self::Delivered
            | Self::Declined(_)
            | Self::Pending
            | Self::Unknown(_)
            | Self::Nothing
            | Self::TakenBack => right,
        }
    }
}

/// Any observation; queries that find nothing are frequent, so that absence gets proven at times.
pub fn observations() -> impl Strategy<Value = ArbitraryObservation> {
    let said = (any::<bool>(), proptest::bool::weighted(0.2), word());
    let ruled = (any::<bool>(), super::words());
    prop_oneof![
        8 => said.prop_map(|(asked, first, word)| {
            ArbitraryObservation::Said { asked, first, word }
        }),
        4 => Just(ArbitraryObservation::Said {
            asked: true,
            first: false,
            word: ObservationKind::Nothing,
        }),
        2 => Just(ArbitraryObservation::Takeover),
        1 => ruled.prop_map(|(delivered, words)| ArbitraryObservation::Ruled { delivered, words }),
    ]
}

/// Any observation about a transaction as it stands.
pub fn observation_about(tx: &Transaction) -> impl Strategy<Value = Observation> + use<> {
    let tx = tx.clone();
    observations().prop_map(move |observation| observation.about(&tx))
}

/// How long after the last one an observation may come: at once, within the spacing of "not
/// found", past the quarantine, past the day after which a person must decide.
pub fn elapsed() -> impl Strategy<Value = Duration> {
    prop_oneof![
        2 => Just(Duration::ZERO),
        4 => (1..60_000_u64).prop_map(Duration::from_millis),
        6 => (60..900_u64).prop_map(Duration::from_secs),
        1 => (24..50_u64).prop_map(Duration::from_hours),
    ]
}

fn refusal_kind() -> impl Strategy<Value = RefusalKind> {
    let seconds = proptest::option::of((0_u64..100_000).prop_map(Duration::from_secs));
    prop_oneof![
        4 => Just(RefusalKind::Order),
        1 => Just(RefusalKind::Account),
        2 => seconds.prop_map(|retry_after| RefusalKind::Moment { retry_after }),
        1 => Just(RefusalKind::Lookalike),
    ]
}

fn word() -> impl Strategy<Value = ObservationKind> {
    let refusal = (refusal_kind(), "[A-Z0-9]{0,4}", super::words())
        .prop_map(|(kind, code, reason)| Refusal { kind, code, reason });
    prop_oneof![
        2 => Just(ObservationKind::Delivered),
        3 => details().prop_map(|details| ObservationKind::Detailed(Box::new(details))),
        1 => Just(ObservationKind::OtherAmount),
        1 => super::words().prop_map(ObservationKind::OtherReference),
        2 => Just(ObservationKind::Unfinished),
        2 => refusal.prop_map(ObservationKind::Declined),
        2 => Just(ObservationKind::Pending),
        4 => cause().prop_map(ObservationKind::Unknown),
        2 => Just(ObservationKind::Nothing),
        2 => Just(ObservationKind::TakenBack),
    ]
}

fn cause() -> impl Strategy<Value = UnknownCause> {
    proptest::sample::select(&UnknownCause::ALL)
}

fn details() -> impl Strategy<Value = Details> {
    let status = proptest::sample::select(&DeliveryStatus::ALL[..]);
    let parts = proptest::collection::vec(status, 1..=3);
    let deliveries = (message_deliveries(), rcs_deliveries());
    // Few ways belong to the flow that was ordered.
    let run = prop_oneof![
        3 => calls().prop_map(|call| FlowRun { call, ..FlowRun::UNDER_WAY }),
        1 => flow_runs(),
    ];
    let calls = (calls(), run);
    let found = (hlr_reports(), lookup_findings());
    (parts, deliveries, calls, found)
        .prop_map(|(parts, (whatsapp, rcs), (call, run), found)| Details {
            parts,
            whatsapp,
            rcs,
            call,
            run,
            report: found.0,
            findings: found.1,
        })
        .boxed()
}
