//! A call as asked for, and with everything looked up.

use super::{Call, VoiceContent};
use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::messaging::{AskedParties, MessageParties};
use crate::money::Money;
use crate::order::Service;
use crate::pricing::Use;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::time::Timestamp;
use std::time::Duration;

/// The longest that a call may take: the provider ends it then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallMinutes(u8);

impl CallMinutes {
    /// The longest: what a person listens to, and what is held, should have an end.
    pub const MAX: u8 = 10;

    /// Where the request does not say.
    pub const DEFAULT: Self = Self(2);

    /// So many minutes.
    ///
    /// # Errors
    /// Refuses none, and more than [`Self::MAX`].
    pub const fn try_new(minutes: u8) -> Result<Self, InvalidCallPlan> {
        if minutes == 0 || minutes > Self::MAX {
            return Err(InvalidCallPlan::Minutes);
        }
        Ok(Self(minutes))
    }

    /// How many.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// How often a person is called, and how often it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallPlan {
    /// The longest that the call may take.
    pub minutes: CallMinutes,
    /// How often the content is said in the call.
    repeat: u8,
    /// How often the person is called again where the call is not answered.
    retries: u8,
}

/// In how many minutes from the request on a call may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallWindow(u16);

impl CallWindow {
    /// The longest: the price is held as long.
    pub const MAX: u16 = 240;

    /// Where the request does not say.
    pub const DEFAULT: Self = Self(30);

    /// So many minutes.
    ///
    /// # Errors
    /// Refuses none, and more than [`Self::MAX`].
    pub const fn try_new(minutes: u16) -> Result<Self, InvalidCallPlan> {
        if minutes == 0 || minutes > Self::MAX {
            return Err(InvalidCallPlan::Window);
        }
        Ok(Self(minutes))
    }

    /// How many.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// When it closes.
    pub fn from(self, now: Timestamp) -> Timestamp {
        now.plus(Duration::from_mins(self.0.into()))
    }
}

/// A plan that no call has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCallPlan {
    /// Not how long a call may take.
    #[error("must be 1 to {}", CallMinutes::MAX)]
    Minutes,
    /// Not how often it is said.
    #[error("must be 1 to {}", CallPlan::REPEAT_MAX)]
    Repeat,
    /// Not how often the person is called again.
    #[error("must be 0 to {}", CallPlan::RETRIES_MAX)]
    Retries,
    /// Not how long the person is called.
    #[error("must be 1 to {} minutes", CallWindow::MAX)]
    Window,
}

impl CallPlan {
    /// How often a text may be said in one call.
    pub const REPEAT_MAX: u8 = 3;

    /// How often a person may be called again.
    pub const RETRIES_MAX: u8 = 3;

    /// A plan.
    ///
    /// # Errors
    /// Names the first value that is out of its range.
    pub const fn try_new(
        minutes: CallMinutes,
        repeat: u8,
        retries: u8,
    ) -> Result<Self, InvalidCallPlan> {
        if repeat == 0 || repeat > Self::REPEAT_MAX {
            return Err(InvalidCallPlan::Repeat);
        }
        if retries > Self::RETRIES_MAX {
            return Err(InvalidCallPlan::Retries);
        }
        Ok(Self {
            minutes,
            repeat,
            retries,
        })
    }

    /// How often the content is said in the call.
    pub const fn repeat(self) -> u8 {
        self.repeat
    }

    /// How often the person is called again where the call is not answered.
    pub const fn retries(self) -> u8 {
        self.retries
    }

    /// Every value of it, in a fixed order.
    pub const fn values(self) -> [u8; 3] {
        [self.minutes.get(), self.repeat, self.retries]
    }
}

/// A call as asked for, every value read and none looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceCall {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// Who calls whom.
    pub parties: AskedParties,
    /// What is said.
    pub content: VoiceContent,
    /// How often.
    pub plan: CallPlan,
    /// In what time.
    pub window: CallWindow,
}

/// A call with everything looked up before the price was quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceOrder {
    /// Who calls whom.
    pub parties: MessageParties,
    /// What is said.
    pub content: VoiceContent,
    /// How often.
    pub plan: CallPlan,
    /// The moment from which on no call may begin: the person expects none.
    pub call_before: Timestamp,
    /// The price of the longest call, in the currency the account pays messages with: naira or
    /// message credits.
    pub amount: Money,
}

impl FamilyOrder for VoiceOrder {
    const PRODUCTS: &'static [&'static str] = &["<country>"];

    /// The text that is spoken and the keys that are pressed.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Voice
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        self.parties.narration("Call")
    }

    fn digits(&self) -> &str {
        self.parties.number.digits()
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.parties.country)
    }

    /// An approval that comes late, and a second route, must not call later than the merchant said.
    fn send_before(&self) -> Option<Timestamp> {
        Some(self.call_before)
    }

    fn units(&self) -> u8 {
        self.plan.minutes.get()
    }

    fn used(&self, fulfilment: &Fulfilment) -> Option<Use> {
        fulfilment.call()?.used(self.plan.minutes)
    }

    /// A call that is still under way has no length yet.
    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let call = fulfilment.call();
        call.is_some_and(|call| call.seconds.is_some())
    }

    /// Its length says what is charged.
    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        None
    }
}

impl Fulfilment {
    /// What became of a call; `None` of any other family.
    pub const fn call(&self) -> Option<&Call> {
        if let Self::Voice(call) = self {
            Some(call)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_limits() {
        let minutes = CallMinutes::DEFAULT;
        assert_eq!(
            CallPlan::try_new(minutes, 3, 0).unwrap().values(),
            [2, 3, 0]
        );
        let refused = [
            ((0, 0), InvalidCallPlan::Repeat),
            ((4, 0), InvalidCallPlan::Repeat),
            ((1, 4), InvalidCallPlan::Retries),
        ];
        for ((repeat, retries), reason) in refused {
            assert_eq!(CallPlan::try_new(minutes, repeat, retries), Err(reason));
        }
        for minutes in [0, 11, u8::MAX] {
            assert_eq!(CallMinutes::try_new(minutes), Err(InvalidCallPlan::Minutes));
        }
        for minutes in [0, 241, u16::MAX] {
            assert_eq!(CallWindow::try_new(minutes), Err(InvalidCallPlan::Window));
        }
        let closes = CallWindow::try_new(240)
            .unwrap()
            .from(Timestamp::from_millis(1));
        assert_eq!(closes, Timestamp::from_millis(4 * 60 * 60 * 1000 + 1));
    }
}
