//! What became of a call. A call that was not answered is a refusal of its provider: nothing is
//! charged for it.

use super::CallMinutes;
use crate::pricing::Use;
use crate::provider::Refusal;
use crate::time::Timestamp;
use std::fmt;

/// Keys that a person pressed during a call.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PressedDigits(String);

/// Text that no keys make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {} of 0–9, * and #", PressedDigits::LENGTH_MAX)]
pub struct InvalidDigits;

impl PressedDigits {
    /// Most keys that are kept of a call.
    pub const LENGTH_MAX: usize = 64;

    /// Reads keys.
    ///
    /// # Errors
    /// Refuses no keys, more than [`Self::LENGTH_MAX`], and what is on no keypad.
    pub fn parse(text: &str) -> Result<Self, InvalidDigits> {
        let is_key = |c: char| c.is_ascii_digit() || c == '*' || c == '#';
        ((1..=Self::LENGTH_MAX).contains(&text.len()) && text.chars().all(is_key))
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidDigits)
    }

    /// The keys in their order.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Persons press the numbers of their cards and secret codes, so only the length is shown.
impl fmt::Debug for PressedDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PressedDigits({} keys)", self.0.len())
    }
}

/// A call that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// How many seconds it took from the answer to the end; `None` while it is under way.
    pub seconds: Option<u32>,
    /// When it was answered, where the provider says so.
    pub answered_at: Option<Timestamp>,
    /// What was pressed, where anything was.
    pub digits: Option<PressedDigits>,
}

impl Call {
    /// A call that is under way.
    pub const UNDER_WAY: Self = Self {
        seconds: None,
        answered_at: None,
        digits: None,
    };

    /// How many of the minutes that were held it used: those that it began. All of them where it
    /// was longer.
    pub(crate) fn used(&self, held: CallMinutes) -> Option<Use> {
        let begun = self.seconds?.div_ceil(60).max(1);
        Use::new(u8::try_from(begun).ok()?, held.get())
    }
}

/// Why a call that was made was not answered, as the code of the refusal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnansweredCall {
    /// It rang, and no person took it.
    NoAnswer,
    /// The line was busy, or the person rejected it.
    Busy,
}

impl UnansweredCall {
    /// Both.
    pub const ALL: [Self; 2] = [Self::NoAnswer, Self::Busy];

    /// The code that a provider refuses a call with.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoAnswer => "no-answer",
            Self::Busy => "line-busy",
        }
    }

    /// What a refusal says of the call; `None` where it was refused for another reason.
    pub fn of(refusal: &Refusal) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.code() == refusal.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::RefusalKind;

    #[test]
    fn keys_are_those_of_a_keypad() {
        for keys in ["1", "0123456789*#", &"9".repeat(PressedDigits::LENGTH_MAX)] {
            assert_eq!(PressedDigits::parse(keys).unwrap().as_str(), keys);
        }
        for text in [
            "",
            "A",
            "1 2",
            "+1",
            &"9".repeat(PressedDigits::LENGTH_MAX + 1),
        ] {
            assert_eq!(PressedDigits::parse(text), Err(InvalidDigits), "{text}");
        }
        let shown = format!("{:?}", PressedDigits::parse("1234").unwrap());
        assert_eq!(shown, "PressedDigits(4 keys)");
    }

    #[test]
    fn minutes_that_were_begun_are_used() {
        let held = CallMinutes::try_new(3).unwrap();
        let used = |seconds| {
            let call = Call {
                seconds,
                ..Call::UNDER_WAY
            };
            call.used(held).map(Use::used)
        };
        let expected = [
            (Some(0), Some(1)),
            (Some(1), Some(1)),
            (Some(60), Some(1)),
            (Some(61), Some(2)),
            (Some(120), Some(2)),
            // All of them, and never more than was held.
            (Some(121), None),
            (Some(180), None),
            (Some(181), None),
            (Some(u32::MAX), None),
            (None, None),
        ];
        for (seconds, minutes) in expected {
            assert_eq!(used(seconds), minutes, "{seconds:?}");
        }
    }

    #[test]
    fn a_refusal_says_by_its_code_how_a_call_ended() {
        let of = |code: &str| {
            UnansweredCall::of(&Refusal {
                kind: RefusalKind::Order,
                code: code.to_owned(),
                reason: String::new(),
            })
        };
        for unanswered in UnansweredCall::ALL {
            assert_eq!(of(unanswered.code()), Some(unanswered));
        }
        assert_eq!(of("declined"), None);
    }
}
