//! What concerns each service. None of these may change what another one bought.

use super::Buys::{EachRound, Nothing, One, Shared};
use super::CheckRun::Each;
use super::{CatalogueCheck, check};
use crate::checks::{documents, duplicates, outcomes, seals};

const BIND: &str = "Store the reference with the hash of its request, unique, before you act.";
const REFUSE_BODY: &str = "Answer 400 `invalid_request` and store nothing.";

pub(super) const CHECKS: &[CatalogueCheck] = &[
    check(
        (
            "submit::same-object",
            Each(|b, s| Box::pin(outcomes::same_object(b, s))),
            Shared,
        ),
        "A query finds the object that the submission was answered with.",
        "Answer submissions and queries from the same stored record.",
    ),
    check(
        (
            "query::no-effect",
            Each(|b, s| Box::pin(duplicates::query_without_effect(b, s))),
            Shared,
        ),
        "A query has no effect, and one of an unseen reference says `absent`.",
        "Only read in a query; never start or change an order.",
    ),
    check(
        (
            "duplicate::same-body",
            Each(|b, s| Box::pin(duplicates::same_body(b, s))),
            Shared,
        ),
        "The same request again has no second effect and is answered as the profile says.",
        BIND,
    ),
    check(
        (
            "duplicate::other-amount",
            Each(|b, s| Box::pin(duplicates::other_amount(b, s))),
            Shared,
        ),
        "Another amount under a reference is refused with 409 and changes nothing.",
        BIND,
    ),
    check(
        (
            "duplicate::other-order",
            Each(|b, s| Box::pin(duplicates::other_order(b, s))),
            Shared,
        ),
        "Another order under a reference is refused with 409 and changes nothing.",
        BIND,
    ),
    check(
        (
            "duplicate::delivered-twice",
            Each(|b, s| Box::pin(duplicates::delivered_twice(b, s))),
            One,
        ),
        "A request that a proxy delivers twice has one effect.",
        BIND,
    ),
    check(
        (
            "duplicate::concurrent",
            Each(|b, s| Box::pin(duplicates::concurrent(b, s))),
            One,
        ),
        "Copies that arrive at once have one effect, and none of them is refused.",
        BIND,
    ),
    check(
        (
            "silence::answer-lost",
            Each(|b, s| Box::pin(duplicates::answer_lost(b, s))),
            One,
        ),
        "After a lost answer, a query finds the delivery and a copy has no second effect.",
        "Store the outcome before you answer; finish the work where the client has gone.",
    ),
    check(
        (
            "silence::client-gone",
            Each(|b, s| Box::pin(duplicates::client_gone(b, s))),
            One,
        ),
        "An order whose client has gone ends one way or the other.",
        "Finish the work in a task of its own, or decline what was not begun.",
    ),
    check(
        (
            "document::unknown-fields",
            Each(|b, s| Box::pin(documents::unknown_fields(b, s))),
            One,
        ),
        "Fields that are unknown are ignored.",
        "Do not refuse a document for a field that this version does not know.",
    ),
    check(
        (
            "document::amounts",
            Each(|b, s| Box::pin(documents::amounts(b, s))),
            Nothing,
        ),
        "An amount is whole minor units above zero in a known currency.",
        REFUSE_BODY,
    ),
    check(
        (
            "expiry::first-seen-late",
            Each(|b, s| Box::pin(outcomes::first_seen_late(b, s))),
            Nothing,
        ),
        "A request that is first seen after its `notAfter` is declined with the code `expired`.",
        "Compare `notAfter` with your clock when you store the reference.",
    ),
    check(
        (
            "expiry::stays",
            Each(|b, s| Box::pin(outcomes::expiry_stays(b, s))),
            Nothing,
        ),
        "What has expired stays declined, whatever comes later.",
        "Store the reference of an expired request as declined.",
    ),
    check(
        (
            "refusal::stays",
            Each(|b, s| Box::pin(outcomes::refused_for_ever(b, s))),
            Nothing,
        ),
        "What was declined stays declined.",
        "Store the refusal with the reference; a copy is answered from it.",
    ),
    check(
        (
            "seal::unseen",
            Each(|b, s| Box::pin(seals::unseen(b, s))),
            Nothing,
        ),
        "A seal of an unseen reference refuses it for ever.",
        "Store the reference as declined with the code `sealed`; a late request meets it.",
    ),
    check(
        (
            "seal::after-delivery",
            Each(|b, s| Box::pin(seals::after_delivery(b, s))),
            Shared,
        ),
        "A seal of what was delivered says `delivered` and changes nothing.",
        "Insert the seal only where the reference is not there, in one step.",
    ),
    check(
        (
            "seal::race",
            Each(|b, s| Box::pin(seals::race(b, s))),
            EachRound,
        ),
        "Of a seal and a submission that arrive together one wins, for ever.",
        "Insert the seal and the request under one unique key, in one step.",
    ),
];
