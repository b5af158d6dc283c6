//! Lookups of numbers.

use super::orders::{countries, phones, sums, words};
use domain::hlr::{HlrOrder, HlrReport, HlrStatus};
use proptest::prelude::*;

/// A lookup, paid for in money or credits.
pub fn hlr_orders() -> impl Strategy<Value = HlrOrder> {
    let network_origin = proptest::option::of(words());
    (phones(), countries(), network_origin, sums()).prop_map(
        |(number, country, network_origin, amount)| HlrOrder {
            number,
            country,
            network_origin,
            amount,
        },
    )
}

/// What a register may answer, sensible or not.
pub fn hlr_reports() -> impl Strategy<Value = HlrReport> {
    let flag = || proptest::option::of(any::<bool>());
    let text = || proptest::option::of(words());
    let status = proptest::sample::select(&HlrStatus::ALL[..]);
    let flags = (flag(), flag(), flag());
    let network = (text(), text(), text(), proptest::option::of(countries()));
    (status, flags, network).prop_map(|(status, (live, ported, roaming), network)| {
        let (network_current, mcc, mnc, roaming_country) = network;
        HlrReport {
            status,
            live,
            ported,
            roaming,
            network_current,
            mcc,
            mnc,
            roaming_country,
        }
    })
}
