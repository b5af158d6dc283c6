//! What providers and persons say about a transaction. Receipts must echo what was sent and vends
//! must add up; the two makers of wrong receipts say so in their names.

use super::START;
use domain::bill::{BillOrder, BillReceipt};
use domain::billing::Billing;
use domain::change_set::StateChange;
use domain::country::CountryCode;
use domain::electricity::{ElectricityOrder, Vend};
use domain::hlr::{HlrReport, HlrStatus};
use domain::international::Remittance;
use domain::money::Money;
use domain::order::Order;
use domain::provider::{
    AbsencePolicy, Fulfilment, ProviderId, QueryOutcome, Receipt, Refusal, RefusalKind,
    SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::sms::{DeliveryStatus, Dispatch};
use domain::time::Timestamp;
use domain::token::{Token, TokenNumber, breakdown};
use domain::transaction::{
    ApplyContext, AttemptNumber, Observation, PreparedAttempt, Ruling, State, Transaction,
    Transition, Verdict,
};
use domain::whatsapp::WhatsappDelivery;
use rust_decimal::Decimal;
use std::time::Duration;

/// How long after a step that settles nothing the next look is due, unless said otherwise.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// The current attempt; of what is queued the first, which is still to be made.
pub fn current_attempt(tx: &Transaction) -> AttemptNumber {
    tx.attempt().unwrap_or(AttemptNumber::FIRST)
}

/// A receipt for the current attempt, as ordered and finished.
pub fn receipt(tx: &Transaction) -> Receipt {
    receipt_of(&tx.provider_reference(current_attempt(tx)), &tx.order)
}

/// A receipt for an order under a provider reference, as ordered and finished.
pub fn receipt_of(reference: &ProviderReference, order: &Order) -> Receipt {
    Receipt {
        reference: reference.clone(),
        amount: order.amount(),
        fulfilment: fulfilment(order),
    }
}

/// What completes an order.
pub fn fulfilment(order: &Order) -> Fulfilment {
    match order {
        // No provider delivers the second: one that says so speaks of another family.
        Order::Airtime(_) | Order::Wallet(_) | Order::User(_) => Fulfilment::Airtime,
        Order::CableTv(_) => Fulfilment::CableTv,
        Order::Electricity(order) => Fulfilment::Electricity(vend(order)),
        Order::Internet(_) => Fulfilment::Internet,
        Order::Sms(order) => Fulfilment::Sms(Dispatch::new(order.segments.parts)),
        Order::Whatsapp(_) => Fulfilment::Whatsapp(WhatsappDelivery::SUBMITTED),
        Order::Bank(_) => Fulfilment::Bank,
        Order::MobileMoney(_) => Fulfilment::MobileMoney,
        Order::Card(_) => Fulfilment::Card,
        Order::International(order) => {
            let credited = order.destination;
            Fulfilment::International(Remittance { credited })
        }
        Order::Hlr(_) => Fulfilment::Hlr(hlr_report()),
        Order::Bill(order) => Fulfilment::Bill(bill_receipt(order)),
    }
}

/// What a biller answers to an order.
pub fn bill_receipt(order: &BillOrder) -> BillReceipt {
    let nothing = Money::zero(order.amount.currency());
    let token = order.has_token.then(|| {
        let parts = breakdown(order.amount, nothing, Decimal::new(32_000, 2));
        let parts = parts.expect("a positive rate");
        token(parts.cost, parts.units)
    });
    BillReceipt {
        category: order.category,
        receipt: format!("RCT-{}-{}", order.number, order.amount.minor()),
        outstanding: order.outstanding(),
        token,
    }
}

/// What a provider reports of an order that it accepted without completing it: a vend without its
/// token, a message split into other parts than were billed. `None` for families in which nothing
/// can be missing.
pub fn unfinished_fulfilment(complete: &Fulfilment) -> Option<Fulfilment> {
    match complete {
        Fulfilment::Electricity(vend) => Some(Fulfilment::Electricity(Vend {
            token: None,
            ..vend.clone()
        })),
        Fulfilment::Bill(receipt) => receipt.token.is_some().then(|| {
            Fulfilment::Bill(BillReceipt {
                token: None,
                ..receipt.clone()
            })
        }),
        Fulfilment::Sms(dispatch) => {
            let parts = dispatch.parts().iter().copied();
            let parts = parts.chain([DeliveryStatus::Pending]).collect();
            let other = Dispatch::try_from_parts(parts).expect("one part more than billed");
            Some(Fulfilment::Sms(other))
        }
        Fulfilment::Airtime
        | Fulfilment::CableTv
        | Fulfilment::Internet
        | Fulfilment::Whatsapp(_)
        | Fulfilment::Bank
        | Fulfilment::MobileMoney
        | Fulfilment::Card
        | Fulfilment::International(_)
        | Fulfilment::Hlr(_) => None,
    }
}

/// A mobile number that is reachable in the network it was moved to.
pub fn hlr_report() -> HlrReport {
    HlrReport {
        status: HlrStatus::Ok,
        live: Some(true),
        ported: Some(true),
        roaming: Some(false),
        network_current: Some("Airtel".into()),
        mcc: Some("621".into()),
        mnc: Some("20".into()),
        roaming_country: Some(CountryCode::NIGERIA),
    }
}

/// A vend that completes an order: up to half of a prepaid amount recovers debt, the rest is
/// energy; a postpaid payment goes against the debt. A company that does not say its tariff says
/// neither what a token costs nor its units.
pub fn vend(order: &ElectricityOrder) -> Vend {
    let ElectricityOrder { meter, amount, .. } = order;
    let owed = meter.debt.unwrap_or(Money::zero(amount.currency()));
    let (paid_off, token) = match meter.billing {
        Billing::Prepaid => {
            let half = Money::from_minor(amount.minor() / 2, amount.currency());
            let recovered = owed.checked_min(half).expect("one currency");
            let parts = |rate| breakdown(*amount, recovered, rate).expect("a positive rate");
            let token = match meter.tariff.rate.map(parts) {
                Some(parts) => token(parts.cost, parts.units),
                None => Token {
                    cost: None,
                    units: None,
                    ..token(*amount, Decimal::ONE)
                },
            };
            (recovered, Some(token))
        }
        Billing::Postpaid => (owed.checked_min(*amount).expect("one currency"), None),
    };
    Vend {
        receipt: format!("RCT-{}-{}", meter.number, amount.minor()),
        debt: meter.debt,
        outstanding: meter
            .debt
            .map(|debt| debt.checked_sub(paid_off).expect("no more than owed")),
        last_purchase: meter.last_purchase,
        last_paid: meter.last_paid,
        token,
    }
}

/// A token for so much energy.
pub fn token(cost: Money, units: Decimal) -> Token {
    let digits = format!("7391{:016}", cost.minor());
    Token {
        number: Some(TokenNumber::parse(&digits).expect("20 digits")),
        cost: Some(cost),
        units: Some(units),
    }
}

/// A provider's listed no, the order's fault.
pub fn refusal() -> Refusal {
    refusal_of(RefusalKind::Order)
}

/// A provider's listed no of a kind.
pub fn refusal_of(kind: RefusalKind) -> Refusal {
    Refusal {
        kind,
        code: "R01".into(),
        reason: "Refused by the network".into(),
    }
}

/// The answer to submitting the current attempt.
pub fn answer(tx: &Transaction, outcome: SubmitOutcome) -> Observation {
    Observation::Answer {
        attempt: current_attempt(tx),
        outcome,
    }
}

/// The answer to asking about the current attempt.
pub fn finding(tx: &Transaction, finding: QueryOutcome) -> Observation {
    Observation::Finding {
        attempt: current_attempt(tx),
        finding,
    }
}

/// Answered: delivered as ordered.
pub fn delivered(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Delivered(receipt(tx)))
}

/// Answered: delivered, but another amount than ordered.
pub fn mismatched(tx: &Transaction) -> Observation {
    let receipt = Receipt {
        amount: one_more(tx.order.amount()),
        ..receipt(tx)
    };
    answer(tx, SubmitOutcome::Delivered(receipt))
}

/// An amount and one minor unit more.
pub const fn one_more(amount: Money) -> Money {
    Money::from_minor(amount.minor() + 1, amount.currency())
}

/// Answered: accepted, but what completes the order is missing. Where nothing could be missing it
/// says that the order is being processed.
pub fn unfinished(tx: &Transaction) -> Observation {
    let receipt = receipt(tx);
    match unfinished_fulfilment(&receipt.fulfilment) {
        None => pending(tx),
        Some(fulfilment) => answer(
            tx,
            SubmitOutcome::Delivered(Receipt {
                fulfilment,
                ..receipt
            }),
        ),
    }
}

/// An unasked report of the status of each part of a message.
pub fn message_status(tx: &Transaction, parts: &[DeliveryStatus]) -> Observation {
    let dispatch = Dispatch::try_from_parts(parts.to_vec()).expect("one part at least");
    let receipt = Receipt {
        fulfilment: Fulfilment::Sms(dispatch),
        ..receipt(tx)
    };
    finding(tx, QueryOutcome::Delivered(receipt))
}

/// An unasked report of what became of a WhatsApp message.
pub fn whatsapp_status(tx: &Transaction, delivery: WhatsappDelivery) -> Observation {
    let receipt = Receipt {
        fulfilment: Fulfilment::Whatsapp(delivery),
        ..receipt(tx)
    };
    finding(tx, QueryOutcome::Delivered(receipt))
}

/// Answered: refused.
pub fn declined(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Declined(refusal()))
}

/// No byte of the current attempt left.
pub fn not_sent(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::NotSent)
}

/// Answered: being processed.
pub fn pending(tx: &Transaction) -> Observation {
    answer(tx, SubmitOutcome::Pending)
}

/// No definite answer.
pub fn unknown(tx: &Transaction, cause: UnknownCause) -> Observation {
    answer(tx, SubmitOutcome::Unknown(cause))
}

/// Asked: no trace of it.
pub fn not_found(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::NotFound)
}

/// Asked: delivered once and taken back.
pub fn reversed(tx: &Transaction) -> Observation {
    finding(tx, QueryOutcome::Reversed)
}

/// The instance that was sending the current attempt is gone.
pub fn takeover(tx: &Transaction) -> Observation {
    Observation::Takeover {
        attempt: current_attempt(tx),
    }
}

/// What two persons decided.
pub fn ruling(verdict: Verdict) -> Ruling {
    Ruling {
        verdict,
        by: "Ngozi Eze".into(),
        confirmed_by: Some("Tunde Bakare".into()),
        evidence: "Settlement file of 16 January, line 12".into(),
    }
}

/// Two persons decided.
pub fn ruled(verdict: Verdict) -> Observation {
    Observation::Ruling(ruling(verdict))
}

/// What an observation does to a transaction, read with the cautious profile; `None` where it
/// changes nothing. The
/// step is due again half a minute later unless it settled everything or waits for a person.
pub fn apply(tx: &Transaction, observation: &Observation, now: Timestamp) -> Option<StateChange> {
    apply_by(&AbsencePolicy::CAUTIOUS, tx, observation, now)
}

/// The first attempt of what is queued, prepared in a form of the provider's own.
pub fn first_of(tx: &Transaction) -> PreparedAttempt {
    PreparedAttempt {
        reference: ProviderReference::from_echo(format!("own{}", tx.number)),
        ..tx.prepared.first().clone()
    }
}

/// A second attempt, prepared at a provider.
pub fn second_at(tx: &Transaction, provider: ProviderId) -> PreparedAttempt {
    let second = AttemptNumber::FIRST.next().expect("a second attempt");
    PreparedAttempt::derived(provider, (&tx.account, &tx.reference), second)
}

/// The same, with silence read by a profile; a second attempt would go to the same provider, and
/// the first of what is queued to the one it was priced for.
pub fn apply_by(
    profile: &AbsencePolicy,
    tx: &Transaction,
    observation: &Observation,
    now: Timestamp,
) -> Option<StateChange> {
    let next = match tx.attempt() {
        None => first_of(tx),
        Some(_) => second_at(tx, tx.provider().clone()),
    };
    let context = ApplyContext {
        next: Some(&next),
        ..ApplyContext::new(now, profile)
    };
    match tx.clone().apply(observation, context) {
        Transition::Unchanged(_) => None,
        Transition::Changed(advance) => Some(StateChange {
            due_at: next_look(&advance.transaction, now),
            ..*advance
        }),
    }
}

/// The step that an observation makes.
pub fn advance(tx: &Transaction, observation: &Observation, now: Timestamp) -> StateChange {
    apply(tx, observation, now)
        .unwrap_or_else(|| panic!("{observation:?} changes nothing of {:?}", tx.state))
}

/// The step that an observation makes at [`START`], with its own next look.
pub fn advance_due(
    tx: &Transaction,
    observation: &Observation,
    due_at: Option<Timestamp>,
) -> StateChange {
    StateChange {
        due_at,
        ..advance(tx, observation, START)
    }
}

fn next_look(tx: &Transaction, now: Timestamp) -> Option<Timestamp> {
    match &tx.state {
        State::Sending(_) | State::InDoubt(_) => Some(now.plus(LOOK_AGAIN_AFTER)),
        State::Queued(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Failed(_)
        | State::Reversed(_)
        | State::Cancelled(_)
        | State::Booked(_) => None,
    }
}
