//! What a register answers about a mobile number. It must not remember anything: the same number
//! has the same answer in every run of a seed.

use super::table::MobileNetwork;
use crate::draw::Draw;
use domain::country::CountryCode;
use domain::hlr::{HlrReport, HlrStatus};

/// One number in so many is not in use, and one in so many of the others is switched off.
const UNKNOWN: u64 = 25;
const ABSENT: u64 = 12;

/// One number in so many was ported.
const PORTED: u64 = 8;

/// One reachable number in so many is abroad.
const ROAMING: u64 = 20;

/// Where those are who are abroad: Ghana, South Africa, the Emirates, Great Britain, America.
const ABROAD: [&str; 5] = ["288", "710", "784", "826", "840"];

/// The answer about a number; `origin` is the code of the network its block was given to, where
/// that is known.
pub(crate) fn report(
    seed: u64,
    (digits, origin): (&str, Option<&str>),
    networks: &[MobileNetwork],
) -> HlrReport {
    let draw = Draw::new(seed, &["hlr", digits]);
    if draw.one_in("unknown", UNKNOWN) {
        return unknown();
    }
    let serving = serving(&draw, origin, networks);
    let status = if draw.one_in("absent", ABSENT) {
        HlrStatus::Absent
    } else {
        HlrStatus::Ok
    };
    // The location of a handset that is switched off is unknown.
    let reachable = status == HlrStatus::Ok;
    let roaming = reachable.then(|| draw.one_in("roaming", ROAMING));
    let abroad = || CountryCode::parse(draw.pick("abroad", &ABROAD)).ok();
    HlrReport {
        status,
        live: Some(true),
        ported: origin.map(|origin| serving.is_some_and(|network| network.mnc != origin)),
        roaming,
        network_current: serving.map(|network| network.brandname.clone()),
        mcc: serving.map(|network| network.mcc.clone()),
        mnc: serving.map(|network| network.mnc.clone()),
        roaming_country: roaming.filter(|is| *is).and_then(|_| abroad()),
    }
}

/// The network that serves a number now: the one it is from, unless it was ported.
fn serving<'a>(
    draw: &Draw,
    origin: Option<&str>,
    networks: &'a [MobileNetwork],
) -> Option<&'a MobileNetwork> {
    let home = networks.iter().find(|n| Some(n.mnc.as_str()) == origin);
    let open = |network: &&MobileNetwork| network.open && Some(network.mnc.as_str()) != origin;
    let others: Vec<_> = networks.iter().filter(open).collect();
    let index = usize::try_from(draw.below("other network", others.len() as u64)).ok();
    let other = index.and_then(|index| others.get(index).copied());
    match home {
        Some(home) if !home.open || !draw.one_in("ported", PORTED) => Some(home),
        Some(_) | None => other,
    }
}

/// The report for a number that the register does not have.
const fn unknown() -> HlrReport {
    HlrReport {
        status: HlrStatus::Unknown,
        live: Some(false),
        ported: None,
        roaming: None,
        network_current: None,
        mcc: None,
        mnc: None,
        roaming_country: None,
    }
}
