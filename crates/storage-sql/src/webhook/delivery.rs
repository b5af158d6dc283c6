//! What a claim, a result and a replay make of one delivery.

use domain::time::Timestamp;
use domain::webhook::DeliveryState;
use ports::webhooks::{AttemptResult, DeliveryClaim, Replay, ReplayOf, Replayed};

/// What moves on of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryProgress {
    /// How many attempts ended since it was last replayed.
    pub attempts: u16,
    /// How often it was replayed.
    pub round: u32,
    /// Whether it is due, was delivered or is parked.
    pub state: DeliveryState,
    /// Whether it goes before whatever waits: a merchant requested it, and it was not claimed or
    /// tried since.
    pub requested: bool,
}

/// When what is claimed becomes due again.
pub fn lease_end(claim: &DeliveryClaim) -> Timestamp {
    claim.now.plus(claim.lease)
}

impl DeliveryProgress {
    /// Of a delivery that was never tried.
    pub const fn due(at: Timestamp) -> Self {
        Self {
            attempts: 0,
            round: 0,
            state: DeliveryState::Due(at),
            requested: false,
        }
    }

    /// Whether it waits to be tried.
    pub const fn is_due(self) -> bool {
        matches!(self.state, DeliveryState::Due(_))
    }

    /// As a claim leaves it; `None` where it may not be claimed.
    pub fn claimed(self, claim: &DeliveryClaim) -> Option<Self> {
        match self.state {
            DeliveryState::Due(at) if self.requested || Some(at) <= claim.due_by() => Some(Self {
                state: DeliveryState::Due(lease_end(claim)),
                requested: false,
                ..self
            }),
            DeliveryState::Due(_) | DeliveryState::Delivered(_) | DeliveryState::Parked(_) => None,
        }
    }

    /// As the result of an attempt leaves it; `None` where the result does not count: the delivery
    /// is not due, or the attempt is not the next one, or was begun before the last replay.
    pub fn after(self, result: &AttemptResult) -> Option<Self> {
        let is_next = self.attempts.checked_add(1) == Some(result.number);
        (self.is_due() && is_next && self.round == result.round).then_some(Self {
            attempts: result.number,
            round: self.round,
            state: result.outcome.state,
            requested: false,
        })
    }

    /// As a replay leaves it, whatever it was: in its next round, with all attempts before it.
    #[must_use]
    pub fn replayed(self, replay: &Replay) -> Self {
        Self {
            attempts: 0,
            round: self.round.saturating_add(1),
            state: DeliveryState::Due(replay.now),
            requested: replay.is_requested(),
        }
    }
}

/// What a replay makes of the deliveries that were found for it, at most one more than it may be
/// of; `found` is `None` where the account has no such endpoint.
///
/// # Errors
/// Where nothing is replayed: what the merchant is answered.
pub fn replayed<K: Clone>(
    found: Option<&[(K, DeliveryProgress)]>,
    replay: &Replay,
) -> Result<Vec<(K, DeliveryProgress)>, Replayed> {
    let found = found.ok_or(Replayed::Unknown)?;
    if found.is_empty() && matches!(replay.what, ReplayOf::One(_)) {
        return Err(Replayed::Unknown);
    }
    if u64::try_from(found.len()).unwrap_or(u64::MAX) > replay.most {
        return Err(Replayed::TooMany);
    }
    let again = found.iter();
    Ok(again
        .map(|(key, progress)| (key.clone(), progress.replayed(replay)))
        .collect())
}
