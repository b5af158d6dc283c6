//! What was served in each stage of a proof, by the moment at which it was sent. Whatever was not
//! acknowledged must be counted, and be shown.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::Deserialize;

/// A line of the record of a load.
#[derive(Debug, Deserialize)]
struct StageAnswer {
    sent: u64,
    status: u16,
    #[serde(default)]
    text: String,
}

/// A part of the proof.
#[derive(Debug, PartialEq)]
pub(super) struct ProofStage {
    pub(super) name: String,
    pub(super) began: u64,
    pub(super) acknowledged: u64,
    /// What was answered in another way, or not at all.
    pub(super) failures: Vec<String>,
    /// What became of the stage itself.
    pub(super) outcome: String,
}

impl ProofStage {
    pub(super) fn begin(name: &str, began: u64) -> Self {
        Self {
            name: name.to_owned(),
            began,
            acknowledged: 0,
            failures: Vec::new(),
            outcome: "serves".to_owned(),
        }
    }
}

/// Counts what records have of each stage.
pub(super) fn count(stages: &mut [ProofStage], records: &[PathBuf]) -> Result<()> {
    for record in records {
        for line in fs::read_to_string(record)?.lines() {
            note(stages, &serde_json::from_str(line)?);
        }
    }
    Ok(())
}

fn note(stages: &mut [ProofStage], answer: &StageAnswer) {
    let stage = stages.iter_mut().rev().find(|it| it.began <= answer.sent);
    let Some(stage) = stage else { return };
    if matches!(answer.status, 200 | 202) {
        stage.acknowledged = stage.acknowledged.saturating_add(1);
    } else {
        let failure = format!("{} {}", answer.status, answer.text);
        stage.failures.push(failure);
    }
}

/// The stages as a table of docs/TESTING.md.
pub(super) fn table(stages: &[ProofStage]) -> String {
    let mut text = String::from("| stage | acknowledged | failed | what became of it |\n");
    text.push_str("|---|---|---|---|\n");
    for stage in stages {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            stage.name,
            stage.acknowledged,
            stage.failures.len(),
            stage.outcome
        );
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{ProofStage, StageAnswer, note, table};

    #[test]
    fn an_answer_belongs_to_the_stage_in_which_it_was_sent() {
        let mut stages = [ProofStage::begin("a", 10), ProofStage::begin("b", 20)];
        for (sent, status) in [(10, 200), (19, 503), (20, 202), (9, 200)] {
            let text = "why".to_owned();
            note(&mut stages, &StageAnswer { sent, status, text });
        }
        let [first, second] = &stages;
        assert_eq!((first.acknowledged, second.acknowledged), (1, 1));
        assert_eq!(first.failures, ["503 why"]);
        assert!(table(&stages).contains("| a | 1 | 1 | serves |"));
    }
}
