//! Where a test build stops on purpose. A release build must have no such place.

use std::sync::Arc;

use ports::fault_point::{FaultPoint, NoFaultPoints};

/// A test build stops where the environment says; a release build has no such probe.
#[cfg(debug_assertions)]
pub(super) fn probe() -> anyhow::Result<Arc<dyn FaultPoint>> {
    let pause = crate::probe::Pause::from_environment(|name| std::env::var(name).ok())?;
    Ok(pause.map_or_else(
        || Arc::new(NoFaultPoints) as Arc<dyn FaultPoint>,
        |pause| Arc::new(pause),
    ))
}

#[cfg(not(debug_assertions))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "it has the signature of the one that test builds have"
)]
pub(super) fn probe() -> anyhow::Result<Arc<dyn FaultPoint>> {
    Ok(Arc::new(NoFaultPoints))
}
