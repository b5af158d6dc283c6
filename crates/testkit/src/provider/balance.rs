//! What a scripted provider says is left of our money. It follows no delivery: a test says it.

use domain::float::ProviderBalance;
use domain::money::Money;
use domain::time::Timestamp;
use ports::PortError;
use std::future::pending;

/// The answer to a question for the balance.
#[derive(Debug, Clone, Copy, Default)]
pub enum ScriptedBalance {
    /// It shows none.
    #[default]
    NotShown,
    /// So much.
    Left(Money),
    /// The question fails.
    Fails,
    /// No answer comes.
    Silent,
}

impl ScriptedBalance {
    pub(super) async fn answered(
        self,
        at: Timestamp,
    ) -> Result<Option<ProviderBalance>, PortError> {
        match self {
            Self::NotShown => Ok(None),
            Self::Left(available) => Ok(Some(ProviderBalance {
                available,
                held: None,
                at,
            })),
            Self::Fails => Err(PortError::new("scripted", "it does not answer")),
            Self::Silent => pending().await,
        }
    }
}
