//! Callbacks, of each service whose profile promises them, and the gateway's adapter that takes
//! them. No check of these may take a callback for an outcome.

use super::Buys::{Called, Nothing};
use super::CheckRun::{AdapterWith, Each};
use super::{CatalogueCheck, check};
use crate::checks::{adapter_callbacks, callbacks};

const SIGN: &str = "Sign each time it is sent, as a library of Standard Webhooks does with the \
                    base 64 of the first shared key.";

pub(super) const OF_SERVICES: &[CatalogueCheck] = &[
    check(
        (
            "callback::sent",
            Each(|b, s| Box::pin(callbacks::sent(b, s))),
            Called,
        ),
        "Once an attempt that was pending has an end, a callback about it is sent.",
        "Post to the address of `--callbacks`, or promise `callback` = `none`.",
    ),
    check(
        (
            "callback::signed",
            Each(|b, s| Box::pin(callbacks::signed(b, s))),
            Called,
        ),
        "A callback is signed with the shared key over its identity, its timestamp and its body.",
        SIGN,
    ),
    check(
        (
            "callback::fresh",
            Each(|b, s| Box::pin(callbacks::fresh(b, s))),
            Called,
        ),
        "The timestamp of a callback is that of the moment at which it is sent.",
        SIGN,
    ),
    check(
        (
            "callback::of-an-attempt",
            Each(|b, s| Box::pin(callbacks::of_an_attempt(b, s))),
            Called,
        ),
        "A callback has the type `attempt.changed` and names an attempt that was submitted.",
        "Send the reference as it came; never answer for an order by a callback.",
    ),
    check(
        (
            "callback::repeated",
            Each(|b, s| Box::pin(callbacks::repeated(b, s))),
            Called,
        ),
        "A callback that is not answered with 2xx is sent again under its identity, until it is.",
        "Keep it with its `webhook-id`; repeat it after a while, and stop at the first 2xx.",
    ),
];

const ADAPTER: &str = "This is the gateway's own adapter: report it with the transcript.";

pub(super) const OF_ADAPTER: &[CatalogueCheck] = &[
    check(
        (
            "callback::claims-nothing",
            AdapterWith(|b, s| Box::pin(adapter_callbacks::claims_nothing(b, s))),
            Nothing,
        ),
        "What a callback claims is no outcome: the adapter takes the reference, and asks.",
        ADAPTER,
    ),
    check(
        (
            "callback::not-authentic",
            AdapterWith(|b, s| Box::pin(adapter_callbacks::not_authentic(b, s))),
            Nothing,
        ),
        "A callback by another secret, altered, or out of time is refused.",
        ADAPTER,
    ),
];
