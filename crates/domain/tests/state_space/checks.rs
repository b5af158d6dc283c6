//! What must hold in every state of the world, and when a world is settled. It must judge by what
//! is true at the provider, never by what the gateway believes.

use crate::behaviour::Quirk;
use crate::machine::{Facts, Kind, Machine};
use crate::search::Setup;
use crate::world::{SearchedWorld, Truth};
use std::fmt;

/// An invariant that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Violation {
    BooksDoNotBalance,
    WalletIsWrong,
    SettledTwiceOrNever,
    SharesAreWrong,
    RefundedTwiceOrNever,
    TwoAttemptsUnderWay,
    RetriedWithoutProof,
    SuccessfulWithoutDelivery,
    ChargedForOtherAmount,
    FailedButDelivered,
    FailedTooEarly,
    DeliveredTwice,
    DeliveredWithoutRecord,
    LossWithoutLateDelivery,
    FinalStateLeft,
    ContradictionSettled,
    NeverSettles,
    SentWithoutApproval,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BooksDoNotBalance => "I1: debits and credits differ",
            Self::WalletIsWrong => "I2: the wallet does not hold what it must",
            Self::SettledTwiceOrNever => "I3: not one hold with one capture or release",
            Self::SharesAreWrong => "I16: the price was divided wrongly",
            Self::RefundedTwiceOrNever => {
                "I28: not one refund, or not taken back with the reversal"
            }
            Self::TwoAttemptsUnderWay => "I4: two attempts may be delivered",
            Self::RetriedWithoutProof => "I5: a second attempt without a disproven first",
            Self::SuccessfulWithoutDelivery => "I6: successful, but nothing was delivered",
            Self::ChargedForOtherAmount => "I6: charged for another amount than was delivered",
            Self::FailedButDelivered => "I6: failed, but it was delivered",
            Self::FailedTooEarly => "I6: failed, but it may still be delivered",
            Self::DeliveredTwice => "I7: delivered twice",
            Self::DeliveredWithoutRecord => "I8: delivered, and nothing of it is stored",
            Self::LossWithoutLateDelivery => "I6: a loss was booked for nothing",
            Self::FinalStateLeft => "I14: a final state was left",
            Self::ContradictionSettled => "a contradiction was settled without a person",
            Self::SentWithoutApproval => "sent without the approval that it needs",
            Self::NeverSettles => "stuck: nothing that may still happen settles it",
        })
    }
}

/// The first invariant that does not hold in a world.
pub(crate) fn check(setup: &Setup, machine: &Machine, world: &SearchedWorld) -> Option<Violation> {
    if let Some(broken) = machine.broken(world.stored) {
        return Some(broken);
    }
    if !setup.keeps_its_word() {
        return None;
    }
    let effects = count(world, Truth::had_effect);
    if effects > 1 {
        return Some(Violation::DeliveredTwice);
    }
    let Some(facts) = machine.stored(world.stored) else {
        return (effects > 0).then_some(Violation::DeliveredWithoutRecord);
    };
    if facts.loss_booked != [false; 2] {
        return Some(Violation::LossWithoutLateDelivery);
    }
    if count(world, Truth::may_cost) > 1 {
        return Some(Violation::TwoAttemptsUnderWay);
    }
    if facts.attempt == 1 && (!facts.retried || world.attempts[0].may_cost()) {
        return Some(Violation::RetriedWithoutProof);
    }
    check_state(facts, world)
}

fn check_state(facts: Facts, world: &SearchedWorld) -> Option<Violation> {
    let truth = world.attempts[usize::from(facts.attempt)];
    match facts.kind {
        Kind::Queued => (truth != Truth::Nothing).then_some(Violation::DeliveredWithoutRecord),
        Kind::Sending | Kind::InDoubt | Kind::Review => None,
        Kind::Successful => match truth {
            Truth::Delivered | Truth::TakenBack => None,
            Truth::OtherAmount => (!facts.ruled).then_some(Violation::ChargedForOtherAmount),
            Truth::Nothing
            | Truth::OnTheWay
            | Truth::OnTheWayLater
            | Truth::Processing
            | Truth::Refused => Some(Violation::SuccessfulWithoutDelivery),
        },
        Kind::Failed | Kind::Cancelled if count(world, Truth::costs) > 0 => {
            Some(Violation::FailedButDelivered)
        }
        Kind::Failed | Kind::Cancelled => {
            (count(world, Truth::may_cost) > 0).then_some(Violation::FailedTooEarly)
        }
        Kind::Reversed => {
            (truth != Truth::TakenBack).then_some(Violation::SuccessfulWithoutDelivery)
        }
    }
}

fn count(world: &SearchedWorld, is: fn(Truth) -> bool) -> usize {
    world
        .attempts
        .into_iter()
        .filter(|truth| is(*truth))
        .count()
}

/// Whether final states absorb: nothing follows them but a reversal of success; and whether only
/// persons decide where the provider has said two things.
pub(crate) fn check_step(before: Facts, after: Facts) -> Option<Violation> {
    let absorbed = match before.kind {
        Kind::Queued | Kind::Sending | Kind::InDoubt | Kind::Review => true,
        Kind::Successful => matches!(after.kind, Kind::Successful | Kind::Reversed),
        Kind::Failed | Kind::Reversed | Kind::Cancelled => after.kind == before.kind,
    };
    let decided = !before.mismatch || after.kind == Kind::Review || after.ruled;
    if !decided {
        return Some(Violation::ContradictionSettled);
    }
    (!absorbed).then_some(Violation::FinalStateLeft)
}

/// Whether nothing is left to find out: the state is final and says what is true at the provider,
/// the whole way of a message included, or nothing was ever recorded and nothing sent.
pub(crate) fn is_settled(setup: &Setup, machine: &Machine, world: &SearchedWorld) -> bool {
    let Some(facts) = machine.stored(world.stored) else {
        return world.attempts == [Truth::Nothing; 2];
    };
    let agrees = |attempt: u8| {
        let truth = world.attempts[usize::from(attempt)];
        let sold =
            facts.attempt == attempt && !matches!(facts.kind, Kind::Failed | Kind::Cancelled);
        match truth {
            Truth::Nothing | Truth::Refused => !sold || facts.kind == Kind::Reversed,
            Truth::OnTheWay | Truth::OnTheWayLater | Truth::Processing => false,
            Truth::Delivered | Truth::OtherAmount if sold => {
                let reported = !setup.has(Quirk::ReportsSteps) || facts.arrived;
                facts.kind == Kind::Successful && reported
            }
            Truth::Delivered | Truth::OtherAmount => facts.loss_booked[usize::from(attempt)],
            Truth::TakenBack => {
                facts.kind != Kind::Successful && !facts.loss_booked[usize::from(attempt)]
            }
        }
    };
    facts.kind.is_final() && agrees(0) && agrees(1)
}
