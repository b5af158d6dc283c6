//! What a soak came to, for the terminal and for docs/TESTING.md, and what of it is a failure. It
//! must leave out no failure that was counted.

#![expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a slope is no amount of money, and what is sampled is far below 2^52"
)]

use std::fmt::Write as _;

use super::super::gateway::load::{PaymentReports, ReceivedEvents, RecordedAnswer};
use super::sample::ProcessSample;
use super::trend::SampleTrend;

const MINUTES_A_DAY: f64 = 1440.0;

/// A shorter soak sees the memory that is taken once and no slope.
const JUDGED_FROM_SECONDS: u64 = 20 * 60;

/// How many standard errors a slope may be above the bound by chance.
const ERRORS: f64 = 2.0;

/// The longest span at either end of which latencies are shown.
const SPAN_SECONDS: u64 = 300;

/// Everything that was seen of one soak.
#[derive(Debug)]
pub(super) struct SoakFigures {
    /// How long the load was steady.
    pub(super) seconds: u64,
    pub(super) per_second: u64,
    pub(super) samples: Vec<ProcessSample>,
    /// Payments and reads that were sent before the end was asked for.
    pub(super) payments: Vec<RecordedAnswer>,
    pub(super) reads: Vec<RecordedAnswer>,
    pub(super) events: ReceivedEvents,
    pub(super) drain_ms: u64,
    pub(super) ready_ms: u64,
    pub(super) reports: PaymentReports,
    /// What the audit says, where it is not clean.
    pub(super) audit: Option<String>,
}

impl SoakFigures {
    /// The line through the memory of the second half, in KiB by minutes.
    fn trend(&self) -> Option<SampleTrend> {
        let half = self.samples.iter().skip(self.samples.len() / 2);
        let samples = half.map(|it| (it.second as f64 / 60.0, it.resident_kib as f64));
        SampleTrend::fit(&samples.collect::<Vec<_>>())
    }

    /// What makes this soak fail.
    pub(super) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        if self.reports.lost > 0 {
            failures.push(format!(
                "{} acknowledged payments are lost",
                self.reports.lost
            ));
            failures.extend(self.reports.shown.iter().cloned());
        }
        let pending = self.reports.count("Pending");
        if pending > 0 {
            failures.push(format!("{pending} payments are not settled"));
        }
        for (name, answers) in [("payments", &self.payments), ("reads", &self.reads)] {
            let refused = refused(answers);
            if refused > 0 {
                failures.push(format!(
                    "{refused} {name} were not served under a steady load"
                ));
            }
        }
        failures.extend(self.audit.clone());
        failures.extend(self.trend().and_then(|trend| self.judged(trend)));
        failures
    }

    /// Why a slope is a failure, if it is one: within a day the memory would be twice what it was,
    /// and that is not by chance.
    fn judged(&self, trend: SampleTrend) -> Option<String> {
        let least = trend.slope - ERRORS * trend.error;
        let doubles = least * MINUTES_A_DAY >= trend.mean;
        (doubles && self.seconds >= JUDGED_FROM_SECONDS).then(|| {
            format!(
                "the memory of {:.0} KiB grows by {:.1} KiB a minute at least, which doubles it \
                 within a day",
                trend.mean, least
            )
        })
    }

    /// The figures in words.
    pub(super) fn section(&self) -> String {
        let mut text = format!(
            "{} payments and {} reads in {} s, {} payments a second, not served: {} and {}; \
             {} deliveries of {} events",
            self.payments.len(),
            self.reads.len(),
            self.seconds,
            self.per_second,
            refused(&self.payments),
            refused(&self.reads),
            self.events.deliveries,
            self.events.events
        );
        self.write_memory(&mut text);
        let _ = write!(
            text,
            "; SIGTERM under load until it had ended: {} ms; start until `/ready` is 200: {} ms; \
             acknowledged: {}, of them lost: {}; pending at the end: {}; audit: {}.\n\n{}",
            self.drain_ms,
            self.ready_ms,
            self.reports.count("acknowledged"),
            self.reports.lost,
            self.reports.count("Pending"),
            self.audit.as_deref().map_or("clean", |_| "NOT clean"),
            self.tables()
        );
        text.trim_end().to_owned()
    }

    fn write_memory(&self, text: &mut String) {
        let Some(trend) = self.trend() else {
            text.push_str("; too few samples for a slope");
            return;
        };
        let a_thousand = 1000.0 / (self.per_second.max(1) as f64 * 60.0);
        let _ = write!(
            text,
            "; resident in the second half: {:.0} KiB in the mean, slope {:.1} KiB a minute \
             (standard error {:.1}), {:.2} KiB for 1,000 payments; a slope of {:.1} KiB a minute \
             would double it within a day",
            trend.mean,
            trend.slope,
            trend.error,
            trend.slope * a_thousand,
            trend.mean / MINUTES_A_DAY
        );
    }

    /// Latencies of both ends, and a sample of each sixth of the time.
    fn tables(&self) -> String {
        let span = SPAN_SECONDS.min(self.seconds / 3);
        let mut text = format!("| the {span} seconds | payments p50 | p99 | reads p50 | p99 |\n");
        text.push_str("|---|---|---|---|---|\n");
        let began = self.payments.iter().map(|it| it.sent).min();
        let first = began.unwrap_or_default();
        let last = first.saturating_add(self.seconds.saturating_sub(span).saturating_mul(1000));
        for (name, from) in [("first", first), ("last", last)] {
            let until = from.saturating_add(span.saturating_mul(1000));
            let of = |answers: &[RecordedAnswer]| latencies(answers, (from, until));
            let ((payment, slow), (read, slow_read)) = (of(&self.payments), of(&self.reads));
            let _ = writeln!(
                text,
                "| {name} | {payment} ms | {slow} ms | {read} ms | {slow_read} ms |"
            );
        }
        text.push_str(
            "\n| after | resident | open files | threads | store |\n|---|---|---|---|---|\n",
        );
        for sample in self.shown() {
            let _ = writeln!(
                text,
                "| {} s | {} KiB | {} | {} | {} MiB |",
                sample.second,
                sample.resident_kib,
                sample.files,
                sample.threads,
                sample.store_kib / 1024
            );
        }
        text
    }

    fn shown(&self) -> impl Iterator<Item = &ProcessSample> {
        let last = self.samples.len().saturating_sub(1);
        let places = (0..=6).map(move |sixth: usize| last.saturating_mul(sixth) / 6);
        places.filter_map(|place| self.samples.get(place))
    }
}

fn refused(answers: &[RecordedAnswer]) -> usize {
    answers.iter().filter(|it| !it.is_acknowledged()).count()
}

/// The median and the 99th percentile of what was sent within a span, in milliseconds.
fn latencies(answers: &[RecordedAnswer], (from, until): (u64, u64)) -> (u64, u64) {
    let within = answers.iter().filter(|it| (from..until).contains(&it.sent));
    let mut times: Vec<_> = within
        .map(|it| it.answered.saturating_sub(it.sent))
        .collect();
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    let at = |hundredths: usize| {
        let place = last.saturating_mul(hundredths) / 100;
        times.get(place).copied().unwrap_or_default()
    };
    (at(50), at(99))
}

#[cfg(test)]
mod tests {
    use super::super::super::gateway::load::{PaymentReports, ReceivedEvents, RecordedAnswer};
    use super::super::sample::ProcessSample;
    use super::{SoakFigures, latencies};

    fn answer(sent: u64, milliseconds: u64, status: u16) -> RecordedAnswer {
        let answered = sent + milliseconds;
        RecordedAnswer {
            sent,
            answered,
            status,
        }
    }

    /// Half an hour in which so many KiB are added each minute.
    fn soak(growth: u64) -> SoakFigures {
        let sample = |minute| ProcessSample {
            second: minute * 60,
            resident_kib: 144_000 + minute * growth,
            ..ProcessSample::default()
        };
        SoakFigures {
            seconds: 1800,
            per_second: 100,
            samples: (0..30).map(sample).collect(),
            payments: vec![answer(0, 10, 200), answer(1_700_000, 20, 202)],
            reads: vec![answer(0, 1, 200)],
            events: ReceivedEvents {
                deliveries: 2,
                events: 2,
            },
            drain_ms: 1,
            ready_ms: 1,
            reports: PaymentReports {
                counts: [("acknowledged".to_owned(), 2)].into(),
                lost: 0,
                shown: Vec::new(),
            },
            audit: None,
        }
    }

    #[test]
    fn memory_that_doubles_within_a_day_is_a_failure() {
        assert_eq!(soak(0).failures(), Vec::<String>::new());
        assert_eq!(soak(99).failures(), Vec::<String>::new());
        let grown = soak(104).failures().concat();
        assert!(grown.contains("doubles it within a day"), "{grown}");
        let mut short = soak(104);
        short.seconds = 600;
        assert_eq!(short.failures(), Vec::<String>::new());
        let section = soak(60).section();
        assert!(section.contains("slope 60.0 KiB a minute"), "{section}");
        assert!(
            section.contains("10.00 KiB for 1,000 payments"),
            "{section}"
        );
        assert!(section.contains("| last | 20 ms | 20 ms |"), "{section}");
    }

    #[test]
    fn whatever_is_lost_refused_pending_or_unclean_is_a_failure() {
        let mut soak = soak(0);
        soak.reports.lost = 1;
        soak.reports.counts.insert("Pending".to_owned(), 1);
        soak.payments.push(answer(5, 1, 503));
        soak.reads.push(answer(5, 1, 0));
        soak.audit = Some("I1".to_owned());
        assert_eq!(soak.failures().len(), 5);
    }

    #[test]
    fn latencies_are_of_the_span_alone() {
        let answers: Vec<_> = (0..100).map(|it| answer(it, it, 200)).collect();
        assert_eq!(latencies(&answers, (0, 100)), (49, 98));
        assert_eq!(latencies(&answers, (90, 100)), (94, 98));
        assert_eq!(latencies(&answers, (200, 300)), (0, 0));
    }
}
