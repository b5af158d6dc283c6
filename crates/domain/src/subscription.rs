//! Identities of providers and plans, shared by the families that sell plans. It must not know
//! which plans there are.

use std::fmt;

/// The identity of a provider of cable TV or internet data: 1–9 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BillerCode(String);

/// The text is not a provider's identity by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the identifier of a provider, 1 to 9 digits")]
pub struct InvalidProviderCode;

/// The identity of a plan, unique among all plans of its family: 1–9 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlanCode(String);

/// The text is not a plan's identity by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the identifier of a plan, 1 to 9 digits")]
pub struct InvalidPlanCode;

/// Most digits of either: they are integers on the interface, and nine fit every language's.
const DIGITS_MAX: usize = 9;

impl BillerCode {
    /// Reads a provider's identity.
    ///
    /// # Errors
    /// Refuses anything but 1–9 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidProviderCode> {
        let code = digits(text).map(Self);
        code.ok_or(InvalidProviderCode)
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PlanCode {
    /// Reads a plan's identity.
    ///
    /// # Errors
    /// Refuses anything but 1–9 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidPlanCode> {
        digits(text).map(Self).ok_or(InvalidPlanCode)
    }

    /// The identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BillerCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for PlanCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn digits(text: &str) -> Option<String> {
    let fits = (1..=DIGITS_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_one_to_nine_digits() {
        for text in ["1", "201", "000000001", "999999999"] {
            assert_eq!(BillerCode::parse(text).unwrap().as_str(), text);
            assert_eq!(PlanCode::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "1234567890", "-1", "1.0", "a", "٣", " 1"] {
            assert_eq!(BillerCode::parse(text), Err(InvalidProviderCode));
            assert_eq!(PlanCode::parse(text), Err(InvalidPlanCode));
        }
    }
}
