//! What is judged at the end of a run, over every exchange. These must come last.

use super::Buys::Nothing;
use super::CheckRun::{Forward, Last, Watched};
use super::{CatalogueCheck, check};
use crate::checks::outcomes;
use crate::watch;

pub(super) const CHECKS: &[CatalogueCheck] = &[
    check(
        (
            "effects::counted",
            Last(|bench| Box::pin(outcomes::effects_counted(bench))),
            Nothing,
        ),
        "Each delivery had one effect, and nothing else had any.",
        "Compare the references of this run with your deliveries.",
    ),
    check(
        ("answer::signed", Watched(watch::signed), Nothing),
        "Every answer with status 200 is signed with the shared key and its digest is the body's.",
        "Sign each answer with the profile of RFC 9421 in the protocol's document.",
    ),
    check(
        ("answer::bound", Watched(watch::bound), Nothing),
        "The signature of an answer covers its status, its body and the request it answers.",
        "Cover `@method;req`, `@target-uri;req` and `signature;req` of the very request.",
    ),
    check(
        ("answer::status", Watched(watch::status), Nothing),
        "What is definite has status 200; there are no redirects.",
        "Answer with 200 also where something was created.",
    ),
    check(
        ("answer::readable", Watched(watch::readable), Nothing),
        "Answers are documents of the protocol, 64 KiB at most, and not compressed.",
        "Compare the answer with openapi.json; amounts are whole minor units.",
    ),
    check(
        ("answer::version", Watched(watch::version), Nothing),
        "Answers name the version of the protocol.",
        "Send the header `Manilla-Protocol: 1.0` with each answer.",
    ),
    check(
        ("answer::in-time", Watched(watch::in_time), Nothing),
        "A submission is answered within `deadlineSeconds`.",
        "Answer `pending` where delivering takes longer, or promise a longer deadline.",
    ),
    check(
        ("answer::echo", Watched(watch::echo), Nothing),
        "Answers echo reference, service, amount and beneficiary by the provider's own record.",
        "Store them with the reference, and answer from the record.",
    ),
    check(
        (
            "answer::listed-state",
            Watched(watch::listed_state),
            Nothing,
        ),
        "Answers have a listed state, and only queries say `absent`.",
        "Use the words of the table of states; say `unknown` where you do not know.",
    ),
    check(
        ("refusal::listed", Watched(watch::listed_code), Nothing),
        "A refusal has a code of `refusalCodes` with the kind that is listed there.",
        "List the code with its kind, or answer `unknown`.",
    ),
    check(
        ("receipt::complete", Watched(watch::whole_receipt), Nothing),
        "What was bought is part of `delivered`: the token, the parts of a message.",
        "Answer `pending` until there is a token.",
    ),
    check(
        ("states::forward", Forward, Nothing),
        "States only move forward, and `sequence` counts the moves.",
        "Change a state only along the table of states, and count each change.",
    ),
];
