//! Catches panics: a bug in one handler must cost one request an answer of 500, never the
//! connection or the process.

use crate::reply::HttpReply;
use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Runs a future to its end, or to its panic, whose message is the error. Unfinished work of the
/// future is not used again: it is dropped here.
pub(crate) async fn caught<F: Future>(future: F) -> Result<F::Output, String> {
    let mut future = pin!(future);
    poll_fn(
        |cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(panic) => Poll::Ready(Err(message(panic.as_ref()))),
        },
    )
    .await
}

/// The answer of a handler, or to the panic of one.
pub(crate) async fn answered(answering: impl Future<Output = HttpReply>) -> HttpReply {
    caught(answering).await.unwrap_or_else(|panic| {
        tracing::error!(panic, "a handler panicked");
        HttpReply::broken()
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_error_with_its_message() {
        assert_eq!(caught(async { 7 }).await, Ok(7));
        let panicking = caught(async { panic!("no {}", "more") });
        assert_eq!(panicking.await, Err::<(), _>("no more".to_owned()));
        let late = caught(async {
            tokio::task::yield_now().await;
            panic!("late")
        });
        assert_eq!(late.await, Err::<(), _>("late".to_owned()));
    }
}
