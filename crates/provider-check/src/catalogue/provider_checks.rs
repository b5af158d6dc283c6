//! What concerns the provider as a whole. The first of these must read the capabilities.

use super::Buys::Nothing;
use super::CheckRun::{First, Once, Read};
use super::{CatalogueCheck, check};
use crate::checks::{capabilities, catalogue, documents, lookups, signatures};

const REFUSE_SIGNATURE: &str =
    "Verify the signature of RFC 9421 before anything else, answer 401, and store nothing.";
const REFUSE_BODY: &str = "Answer 400 `invalid_request` and store nothing.";

pub(super) const CHECKS: &[CatalogueCheck] = &[
    check(
        (
            "capabilities::readable",
            First(|bench| Box::pin(capabilities::readable(bench))),
            Nothing,
        ),
        "`GET /v1/capabilities` is answered with what the provider promises.",
        "Compare the address and the keys of both sides, then the answer with openapi.json.",
    ),
    check(
        (
            "capabilities::consistent",
            Read(capabilities::consistent),
            Nothing,
        ),
        "What the capabilities promise fits together.",
        "Correct the field that is named.",
    ),
    check(
        ("capabilities::clock", Read(capabilities::clock), Nothing),
        "The clocks of both sides are 300 s apart at most.",
        "Have the clock of the provider's machine set by NTP.",
    ),
    check(
        (
            "signature::unsigned",
            Once(|b, s| Box::pin(signatures::unsigned(b, s))),
            Nothing,
        ),
        "A request without a signature is refused and does nothing.",
        REFUSE_SIGNATURE,
    ),
    check(
        (
            "signature::wrong-secret",
            Once(|b, s| Box::pin(signatures::wrong_secret(b, s))),
            Nothing,
        ),
        "A request that is signed with another secret is refused and does nothing.",
        REFUSE_SIGNATURE,
    ),
    check(
        (
            "signature::unknown-key",
            Once(|b, s| Box::pin(signatures::unknown_key(b, s))),
            Nothing,
        ),
        "A request that is signed by an unknown key is refused and does nothing.",
        REFUSE_SIGNATURE,
    ),
    check(
        (
            "signature::altered-body",
            Once(|b, s| Box::pin(signatures::altered_body(b, s))),
            Nothing,
        ),
        "A request whose body is not the one that was signed is refused and does nothing.",
        "Compare `Content-Digest` with the SHA-256 of the bytes that arrived.",
    ),
    check(
        (
            "signature::clock-behind",
            Once(|b, s| Box::pin(signatures::clock_behind(b, s))),
            Nothing,
        ),
        "A request that was signed ten minutes ago is refused and does nothing.",
        "Refuse `created` that is more than 300 s away from your clock.",
    ),
    check(
        (
            "signature::clock-ahead",
            Once(|b, s| Box::pin(signatures::clock_ahead(b, s))),
            Nothing,
        ),
        "A request that is signed ten minutes ahead is refused and does nothing.",
        "Refuse `created` that is more than 300 s away from your clock.",
    ),
    check(
        (
            "signature::other-path",
            Once(|b, s| Box::pin(signatures::other_path(b, s))),
            Nothing,
        ),
        "A signature for one address is refused at another.",
        "Verify `@target-uri` as it was called, its path included.",
    ),
    check(
        (
            "signature::other-method",
            Once(|b, s| Box::pin(signatures::other_method(b, s))),
            Nothing,
        ),
        "A signature for one method is refused with another.",
        "Verify `@method` as it was called.",
    ),
    check(
        (
            "signature::replayed",
            Once(|b, s| Box::pin(signatures::replayed(b, s))),
            Nothing,
        ),
        "A request whose nonce was used is refused.",
        "Remember each nonce for 300 s and refuse it the second time.",
    ),
    check(
        (
            "document::only-post",
            Once(|b, s| Box::pin(documents::put(b, s))),
            Nothing,
        ),
        "Orders are submitted with POST alone.",
        "Answer PUT with 405: proxies and clients repeat it by themselves.",
    ),
    check(
        (
            "document::too-large",
            Once(|b, s| Box::pin(documents::too_large(b, s))),
            Nothing,
        ),
        "A body of 64 KiB and one byte is refused and does nothing.",
        "Answer 413 `too_large` before you parse it.",
    ),
    check(
        (
            "document::cut",
            Once(|b, s| Box::pin(documents::cut(b, s))),
            Nothing,
        ),
        "A body that is no JSON is refused and does nothing.",
        REFUSE_BODY,
    ),
    check(
        (
            "document::half-body",
            Once(|b, s| Box::pin(documents::half_body(b, s))),
            Nothing,
        ),
        "A request whose body did not come whole does nothing.",
        "Read the whole `Content-Length` before you verify and store.",
    ),
    check(
        (
            "document::slow",
            Once(|b, s| Box::pin(documents::slow(b, s))),
            Nothing,
        ),
        "A request that comes in small pieces is answered.",
        "Read until the head and the body are whole, not once.",
    ),
    check(
        (
            "changes::numbered",
            First(|bench| Box::pin(capabilities::changes(bench))),
            Nothing,
        ),
        "Changes are numbered from 0 without a gap, and `next` is the number after the last.",
        "Number changes when you store them, and never remove or move one.",
    ),
    check(
        (
            "catalogue::well-formed",
            First(|bench| Box::pin(catalogue::well_formed(bench))),
            Nothing,
        ),
        "A catalogue comes whole: 50 offers a page, each code once, prices and limits in kobo.",
        "Compare the page with openapi.json; amounts are whole minor units of NGN.",
    ),
    check(
        (
            "catalogue::sold-alone",
            First(|bench| Box::pin(catalogue::of_what_is_sold(bench))),
            Nothing,
        ),
        "A catalogue is of a service that is sold; of others there is none.",
        "Answer 404 `not_found` for a service that the capabilities do not list.",
    ),
    check(
        (
            "lookup::operator",
            First(|bench| Box::pin(lookups::operator(bench))),
            Nothing,
        ),
        "A lookup of who serves a number is answered about that number, or with a listed word.",
        "Echo the number, and answer `unknown` where the register has nothing of it.",
    ),
];
