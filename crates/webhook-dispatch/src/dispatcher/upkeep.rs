//! Work that is done now and again beside the deliveries. It must end as soon as it is stopped.

use super::DispatcherParts;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Does a piece of work again after each pause that it answers, until it is stopped.
pub(super) async fn run(
    parts: &DispatcherParts,
    stop: &CancellationToken,
    work: impl AsyncFn(&DispatcherParts) -> Duration,
) {
    while !stop.is_cancelled() {
        let pause = work(parts).await;
        tokio::select! {
            () = parts.clock.sleep(pause) => {}
            () = stop.cancelled() => {}
        }
    }
}
