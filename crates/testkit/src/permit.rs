//! Permits to send as a test decides them. A permit here must never depend on a store.

use crate::clock::ManualClock;
use async_trait::async_trait;
use ports::clock::Clock;
use ports::permit::{Granted, PERMIT_VALID, SendPermit, Withheld};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A permit whose answer is fixed, and which counts how often it was asked for.
#[derive(Debug)]
pub struct FixedPermit {
    clock: Arc<ManualClock>,
    answer: Answer,
    asked: AtomicU32,
}

#[derive(Debug, Clone, Copy)]
enum Answer {
    Granted,
    GrantedTooLate,
    Withheld(Withheld),
}

impl FixedPermit {
    fn new(answer: Answer) -> Self {
        Self {
            clock: ManualClock::start(),
            answer,
            asked: AtomicU32::new(0),
        }
    }

    /// Granted whenever it is asked for.
    pub fn granted() -> Self {
        Self::new(Answer::Granted)
    }

    /// Granted, but the answer arrives when the permit has ended: writing may not begin.
    pub fn granted_too_late() -> Self {
        Self::new(Answer::GrantedTooLate)
    }

    /// Never granted.
    pub fn withheld(why: Withheld) -> Self {
        Self::new(Answer::Withheld(why))
    }

    /// How often it was asked for.
    pub fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl SendPermit for FixedPermit {
    async fn ask(&self) -> Result<Granted, Withheld> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let until = self.clock.uptime().saturating_add(PERMIT_VALID);
        match self.answer {
            Answer::Withheld(why) => return Err(why),
            Answer::Granted => {}
            Answer::GrantedTooLate => self.clock.suspend(PERMIT_VALID),
        }
        Ok(Granted::until(self.clock.clone(), until))
    }
}
