//! Named moments of a payment at which tests stop a process. A probe must change nothing: the
//! product runs with one that does nothing.

use async_trait::async_trait;

/// A moment between two steps of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultStep {
    /// The plan to open is made, nothing is stored.
    BeforeOpen,
    /// The transaction is stored, nothing was sent.
    AfterOpen,
    /// The provider was asked and has answered, nothing of it is stored.
    AfterSubmit,
    /// The result is stored, the merchant has no answer.
    AfterSettle,
    /// Recovery has claimed the transaction and not asked yet.
    AfterClaim,
}

impl FaultStep {
    /// Every moment, in the order of a payment.
    pub const ALL: [Self; 5] = [
        Self::BeforeOpen,
        Self::AfterOpen,
        Self::AfterSubmit,
        Self::AfterSettle,
        Self::AfterClaim,
    ];

    /// The word a test names it by.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BeforeOpen => "before-open",
            Self::AfterOpen => "after-open",
            Self::AfterSubmit => "after-submit",
            Self::AfterSettle => "after-settle",
            Self::AfterClaim => "after-claim",
        }
    }
}

/// A hook that is called at every step.
#[async_trait]
pub trait FaultPoint: Send + Sync + std::fmt::Debug {
    /// The flow has reached a moment.
    async fn reached(&self, moment: FaultStep);
}

/// The probe of the product: nothing happens.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFaultPoints;

#[async_trait]
impl FaultPoint for NoFaultPoints {
    async fn reached(&self, _moment: FaultStep) {}
}
