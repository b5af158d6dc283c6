//! What systemd, or another service manager that gave a socket in `NOTIFY_SOCKET`, learns of a
//! server: that it is ready, reads its configuration again, stops, and is alive (`sd_notify(3)`).
//! Without such a socket it must do nothing.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time::{self, MissedTickBehavior};

/// Requests are answered from now on.
pub(super) fn ready() {
    notify(&[NotifyState::Ready]);
}

/// The configuration is read again; [`ready`] says that it was.
pub(super) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => notify(&[NotifyState::Reloading, now]),
        Err(error) => tracing::warn!(%error, "the service manager cannot be notified"),
    }
}

/// What is under way is finished, and then the process ends.
pub(super) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

/// Says that the process is alive, twice as often as the service manager wants to know. It says
/// that tasks still run, and not that the store answers: a restart mends no database.
pub(super) async fn keep_alive() {
    let Some(limit) = sd_notify::watchdog_enabled() else {
        return std::future::pending().await;
    };
    let every = limit
        .checked_div(2)
        .filter(|half| !half.is_zero())
        .unwrap_or(Duration::from_millis(1));
    let mut due = time::interval(every);
    due.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        due.tick().await;
        notify(&[NotifyState::Watchdog]);
    }
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager cannot be notified");
    }
}
