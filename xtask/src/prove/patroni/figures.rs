//! The figures of kills: for the terminal, and for docs/TESTING.md. They must be of all kills on
//! record, those that failed too.

use std::fmt::Write as _;

use super::super::part::ProofPart;
use super::super::state::ProofState;
use super::{NAME, UNIT};

pub(super) const MEMBER: &str = "killed";
pub(super) const PROMOTED: &str = "another leader, ms";
pub(super) const WRITABLE: &str = "it commits, ms";
pub(super) const SERVED: &str = "a payment is served, ms";
pub(super) const REFUSED_UNTIL: &str = "the last refusal, ms";
pub(super) const REJOINED: &str = "whole again, ms";
pub(super) const ACKNOWLEDGED: &str = "acknowledged";
pub(super) const PENDING_FIRST: &str = "of them answered 202";
pub(super) const REFUSED: &str = "refused with 503";
pub(super) const REFUSED_AND_STORED: &str = "refused and stored";
pub(super) const IN_DOUBT: &str = "in doubt";
pub(super) const BOUGHT: &str = "in doubt and bought";
pub(super) const NOT_BOUGHT: &str = "in doubt and not bought";
pub(super) const PENDING: &str = "in doubt and pending";
pub(super) const LOST: &str = "lost";
pub(super) const SLOW: &str = "slow";

/// What is measured for each kill, with what it is called in the table.
const TIMES: [(&str, &str); 5] = [
    (PROMOTED, "another member is the primary"),
    (WRITABLE, "it has committed a write"),
    (SERVED, "both instances have served a payment"),
    (REFUSED_UNTIL, "the last payment that was not taken"),
    (REJOINED, "the killed member is a standby again"),
];

/// What is counted.
const COUNTS: [&str; 10] = [
    ACKNOWLEDGED,
    PENDING_FIRST,
    REFUSED,
    REFUSED_AND_STORED,
    IN_DOUBT,
    BOUGHT,
    NOT_BOUGHT,
    PENDING,
    LOST,
    SLOW,
];

fn figure(part: &ProofPart, name: &str) -> u64 {
    part.figures.get(name).copied().unwrap_or_default()
}

/// One kill for people.
pub(super) fn line(part: &ProofPart) -> String {
    let mut line = format!("kill {} of db{}", part.seed, figure(part, MEMBER));
    let times = TIMES.iter().map(|(name, _)| name);
    for name in times.chain(&COUNTS) {
        let _ = write!(line, ", {name}: {}", figure(part, name));
    }
    line
}

/// The values of all kills, the lowest first.
fn sorted(state: &ProofState, name: &str) -> Vec<u64> {
    let mut values: Vec<_> = state.parts.iter().map(|it| figure(it, name)).collect();
    values.sort_unstable();
    values
}

fn seconds(milliseconds: u64) -> String {
    let tenths = milliseconds / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Lowest, median and highest of a time.
fn spread(state: &ProofState, name: &str) -> [String; 3] {
    let values = sorted(state, name);
    let last = values.len().saturating_sub(1);
    [0, last / 2, last].map(|place| seconds(values.get(place).copied().unwrap_or_default()))
}

/// The totals for people.
pub(super) fn table(state: &ProofState) -> String {
    let mut table = format!("\n{NAME}: {} of {} {UNIT}\n", state.done(), state.wanted);
    for (name, _) in TIMES {
        let [least, median, most] = spread(state, name);
        let _ = writeln!(table, "  {name:<32} {least:>8} {median:>8} {most:>8} s");
    }
    for name in COUNTS {
        let total: u64 = sorted(state, name).iter().sum();
        let _ = writeln!(table, "  {name:<32} {total:>8}");
    }
    let _ = writeln!(table, "  {:<32} {:>8}", "failed", state.failures());
    table
}

/// The totals and each kill for docs/TESTING.md.
pub(super) fn section(state: &ProofState, versions: &str) -> String {
    let mut text = format!(
        "{} of {} kills in {} s, failed: {}; {versions}.",
        state.done(),
        state.wanted,
        state.seconds(),
        state.failures()
    );
    for name in COUNTS {
        let total: u64 = sorted(state, name).iter().sum();
        let _ = write!(text, " {name}: {total};");
    }
    text.push_str(
        "\n\n| seconds from the kill until | least | median | most |\n|---|---|---|---|\n",
    );
    for (name, title) in TIMES {
        let [least, median, most] = spread(state, name);
        let _ = writeln!(text, "| {title} | {least} | {median} | {most} |");
    }
    text.push_str("\n| kill | killed | primary | commits | served | last refusal | standby again ");
    text.push_str("| acknowledged | 503 | in doubt |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for part in &state.parts {
        let _ = write!(text, "| {} | `db{}` |", part.seed, figure(part, MEMBER));
        for (name, _) in TIMES {
            let _ = write!(text, " {} |", seconds(figure(part, name)));
        }
        for name in [ACKNOWLEDGED, REFUSED, IN_DOUBT] {
            let _ = write!(text, " {} |", figure(part, name));
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::super::part::ProofPart;
    use super::super::super::state::ProofState;
    use super::{SERVED, section, spread};

    fn kill(served: u64) -> ProofPart {
        ProofPart {
            seed: 1,
            count: 1,
            seconds: 1,
            failed: false,
            figures: [(SERVED.to_owned(), served)].into(),
        }
    }

    #[test]
    fn the_spread_is_of_every_kill() {
        let parts = vec![kill(22_150), kill(18_040), kill(30_000)];
        let state = ProofState {
            seed: 1,
            wanted: 3,
            parts,
        };
        assert_eq!(spread(&state, SERVED), ["18.0", "22.1", "30.0"]);
        assert!(section(&state, "x").contains("| 22.1 |"));
    }
}
