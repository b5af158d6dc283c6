//! One measurement at a number of connections, and what is made of several: medians, spreads.
//! Nothing here may drop a measurement.

use std::fmt;
use std::time::Duration;

/// One measurement at a number of connections.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    /// Answers other than 200.
    pub(crate) other: u64,
}

impl Measured {
    /// What so many seconds of answers come to.
    pub(crate) fn of(mut latencies: Vec<Duration>, other: u64, seconds: f64) -> Self {
        latencies.sort_unstable();
        let at = |share: usize| {
            let place = latencies.len() * share / 100;
            latencies.get(place).copied().unwrap_or_default()
        };
        Self {
            per_second: latencies.len() as f64 / seconds,
            p50: at(50),
            p99: at(99),
            other,
        }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.0} requests/s, p50 {:.2} ms, p99 {:.2} ms, {} other answers",
            self.per_second,
            ms(self.p50),
            ms(self.p99),
            self.other
        )
    }
}

pub(crate) fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The middle value; of an even number the lower of the two in the middle.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or(f64::NAN)
}

/// How far apart the lowest and the highest value are, as a share of the median.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (highest - lowest) / median(values)
}

/// So many of something, in words: `one account`, `8 connections`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    }
}
