//! The id by which a request is found in the logs. It must be unique, and it must never be taken
//! from the client: an id shared by two requests identifies neither.

use http::HeaderValue;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The length of an id: 8 characters for the start of the process, 16 for the request.
const LENGTH: usize = 24;

/// The id of one request: 24 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RequestId([u8; LENGTH]);

impl RequestId {
    pub(crate) fn as_str(&self) -> &str {
        // The digits are ASCII, so the empty text is never returned.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub(crate) fn header(&self) -> HeaderValue {
        HeaderValue::from_bytes(&self.0).unwrap_or(HeaderValue::from_static(""))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Generates ids that never repeat within one start, and between starts only where 32 bits of
/// `instance` and the sequence number both coincide.
#[derive(Debug)]
pub(crate) struct RequestIds {
    start: u64,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new(instance: u64) -> Self {
        Self {
            start: scatter(instance),
            next: AtomicU64::new(0),
        }
    }

    pub(crate) fn next(&self) -> RequestId {
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        let request = scatter(self.start.wrapping_add(place));
        let mut digits = [0; LENGTH];
        write_hex(&mut digits, (self.start >> 32, request));
        RequestId(digits)
    }
}

/// The finisher of `SplitMix64`: it maps no two numbers onto one, so rising numbers become ids that
/// do not disclose how many requests there were.
const fn scatter(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn write_hex(digits: &mut [u8; LENGTH], (start, request): (u64, u64)) {
    let shifts = (0..8).rev().map(|place| start >> (place * 4));
    let shifts = shifts.chain((0..16).rev().map(|place| request >> (place * 4)));
    for (digit, shifted) in digits.iter_mut().zip(shifts) {
        let nibble = u8::try_from(shifted & 0xF).unwrap_or_default();
        *digit = match nibble {
            0..=9 => b'0' + nibble,
            _ => b'a' + (nibble - 10),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_requests_share_an_id_within_or_across_starts() {
        let starts = [RequestIds::new(1), RequestIds::new(2)];
        let ids = starts
            .iter()
            .flat_map(|ids| (0..10_000).map(|_| ids.next()));
        assert_eq!(ids.collect::<HashSet<_>>().len(), 20_000);
    }

    #[test]
    fn an_id_is_24_hexadecimal_digits_in_text_and_header() {
        let id = RequestIds::new(7).next();
        assert_eq!(id.as_str().len(), LENGTH);
        assert!(id.as_str().bytes().all(|b| b.is_ascii_hexdigit()));
        assert_eq!(id.header(), id.as_str());
    }
}
