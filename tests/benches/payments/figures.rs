//! Medians and the table at the end. Nothing here may drop a measurement.

use std::fmt;
use std::time::Duration;

/// One measurement at a number of connections.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    /// Answers other than a successful payment.
    pub(crate) other: u64,
}

/// One round: the ceiling and every measurement, in one run on one machine.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) ceiling: f64,
    pub(crate) measured: Vec<Measured>,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
        write!(
            f,
            "{:.0} payments/s, p50 {:.2} ms, p99 {:.2} ms, {} other answers",
            self.per_second,
            ms(self.p50),
            ms(self.p99),
            self.other
        )
    }
}

/// The middle value; of an even number the lower of the two in the middle.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or(f64::NAN)
}

/// Prints the medians over all rounds.
pub(crate) fn report(connections: &[usize], rounds: &[Round]) {
    let mut ceilings: Vec<f64> = rounds.iter().map(|round| round.ceiling).collect();
    println!("\nmedians of {} rounds", rounds.len());
    println!(
        "SQLite, two commits per payment: {:.0} payments/s",
        median(&mut ceilings)
    );
    for (index, count) in connections.iter().enumerate() {
        let of = |pick: fn(&Round, &Measured) -> f64| {
            let picked = |round: &Round| Some(pick(round, round.measured.get(index)?));
            median(&mut rounds.iter().filter_map(picked).collect::<Vec<_>>())
        };
        println!(
            "{count:>4} connections: {:>6.0} payments/s, {:.2} of the ceiling, \
             p50 {:.2} ms, p99 {:.2} ms, {:.0} other answers",
            of(|_, measured| measured.per_second),
            of(|round, measured| measured.per_second / round.ceiling),
            of(|_, measured| measured.p50.as_secs_f64() * 1000.0),
            of(|_, measured| measured.p99.as_secs_f64() * 1000.0),
            of(|_, measured| measured.other as f64),
        );
    }
}
