//! Every exchange of a run, in order, for what is watched in all of them and for transcripts. What
//! a transcript shows must hold no key, no signature and no token.

use crate::signing::AnswerFlaw;
use crate::wire_message::{WireAnswer, WireRequest};
use serde_json::Value;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most exchanges in one transcript: those at its end say what went wrong.
const TRANSCRIPT_MAX: usize = 12;

/// Most bytes of one body in a transcript.
const SHOWN_BYTES_MAX: usize = 4096;

/// From so many digits on a text within a receipt is taken for a token: a meter's has 20.
const TOKEN_DIGITS_MIN: usize = 12;

/// What is asked of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttemptCall {
    Submit,
    Query,
    Seal,
}

/// One exchange.
#[derive(Debug, Clone)]
pub(crate) struct LoggedExchange {
    /// Counts beginnings and ends of exchanges together, so that two can be said to follow.
    pub(crate) began: u64,
    pub(crate) ended: u64,
    pub(crate) asked: Option<(AttemptCall, String)>,
    /// Whether the provider must accept its signature.
    pub(crate) rightly_signed: bool,
    pub(crate) request: WireRequest,
    pub(crate) answer: Result<WireAnswer, String>,
    pub(crate) flaw: Option<AnswerFlaw>,
    pub(crate) took: Duration,
}

/// The log of a run.
#[derive(Debug, Default)]
pub(crate) struct ExchangeLog {
    exchanges: Mutex<(u64, Vec<LoggedExchange>)>,
    secrets: Vec<String>,
}

impl ExchangeLog {
    /// A log that hides the words of a file of keys.
    pub(crate) fn hiding(keys: &str) -> Self {
        let long = |word: &&str| word.len() >= 16;
        Self {
            exchanges: Mutex::default(),
            secrets: keys
                .split_whitespace()
                .filter(long)
                .map(str::to_owned)
                .collect(),
        }
    }

    fn entries(&self) -> MutexGuard<'_, (u64, Vec<LoggedExchange>)> {
        self.exchanges
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number of a beginning.
    pub(crate) fn begin(&self) -> u64 {
        let mut entries = self.entries();
        entries.0 = entries.0.saturating_add(1);
        entries.0
    }

    /// Adds an exchange that has ended.
    pub(crate) fn add(&self, exchange: LoggedExchange) {
        let mut entries = self.entries();
        entries.0 = entries.0.saturating_add(1);
        let ended = entries.0;
        entries.1.push(LoggedExchange { ended, ..exchange });
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.entries().1.len()
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<LoggedExchange> {
        self.entries().1.clone()
    }

    /// Some of them as texts.
    pub(crate) fn transcript(&self, ranges: &[Range<usize>]) -> Vec<String> {
        let entries = self.entries();
        let chosen = ranges
            .iter()
            .flat_map(|range| entries.1.get(range.clone()).unwrap_or_default());
        let mut texts: Vec<String> = chosen.map(|exchange| self.shown(exchange)).collect();
        let left_out = texts.len().saturating_sub(TRANSCRIPT_MAX);
        texts.drain(..left_out);
        texts
    }

    /// One of them as a text.
    pub(crate) fn shown(&self, exchange: &LoggedExchange) -> String {
        let request = &exchange.request;
        let first = format!("{} {} HTTP/1.1", request.method, request.path);
        let mut text = message(&first, &request.headers, &request.body);
        text.push_str("\n--- answer\n");
        match &exchange.answer {
            Ok(answer) => {
                let first = format!("HTTP/1.1 {}", answer.status);
                text.push_str(&message(&first, &answer.headers, &answer.body));
            }
            Err(nothing) => text.push_str(nothing),
        }
        for secret in &self.secrets {
            text = text.replace(secret, "(hidden)");
        }
        text
    }
}

fn message(first: &str, headers: &[(String, String)], body: &[u8]) -> String {
    let mut text = first.to_owned();
    for (name, value) in headers {
        // A signature is accepted for five minutes, so it is hidden as a key is.
        let hidden = name.eq_ignore_ascii_case("signature");
        let value = if hidden { "manilla=:(hidden):" } else { value };
        // Writing into a text does not fail.
        let _ = write!(text, "\n{name}: {value}");
    }
    text.push_str("\n\n");
    text.push_str(&shown_body(body));
    text
}

fn shown_body(body: &[u8]) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(mut document) => {
            if let Some(receipt) = document.get_mut("receipt") {
                hide_tokens(receipt);
            }
            document.to_string()
        }
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    };
    let shown: String = text.chars().take(SHOWN_BYTES_MAX).collect();
    if shown.len() < text.len() {
        return format!("{shown}… ({} bytes)", body.len());
    }
    shown
}

fn hide_tokens(value: &mut Value) {
    match value {
        Value::String(text) => {
            let digits = text.chars().filter(char::is_ascii_digit).count();
            if digits >= TOKEN_DIGITS_MIN {
                "(hidden)".clone_into(text);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(hide_tokens),
        Value::Object(fields) => fields.values_mut().for_each(hide_tokens),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_shows_neither_keys_nor_signatures_nor_tokens() {
        let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        let log = ExchangeLog::hiding(&format!("key-1 {secret}\n"));
        log.add(LoggedExchange {
            began: log.begin(),
            ended: 0,
            asked: None,
            rightly_signed: true,
            request: WireRequest {
                method: "GET".to_owned(),
                path: "/v1/attempts/r".to_owned(),
                headers: vec![("Signature".to_owned(), "manilla=:c2VjcmV0:".to_owned())],
                body: Vec::new(),
            },
            answer: Ok(WireAnswer::new(
                200,
                vec![("X-Debug".to_owned(), secret.to_owned())],
                br#"{"reference":"12345678901234567890",
                    "receipt":{"token":{"number":"1234-5678-9012-3456-7890"}}}"#
                    .to_vec(),
            )),
            flaw: None,
            took: Duration::ZERO,
        });
        let first = 0..1;
        let shown = log.transcript(std::slice::from_ref(&first)).join("\n");
        for hidden in [secret, "c2VjcmV0", "1234-5678"] {
            assert!(!shown.contains(hidden), "{shown}");
        }
        assert!(shown.contains("12345678901234567890"), "{shown}");
    }
}
