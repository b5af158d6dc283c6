//! Requests of an account and what they were answered. Nothing that a request carried may be here
//! beside its path: no query, no body and no header.

use crate::account::AccountId;
use crate::statement::Sort;
use crate::time::Timestamp;
use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

/// The status of a request whose client hung up before it was answered.
pub const HUNG_UP: u16 = 499;

/// A request that one of an account's keys opened, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredRequest {
    /// Whose it is.
    pub account: AccountId,
    /// When it was answered.
    pub at: Timestamp,
    /// Its method.
    pub method: Cow<'static, str>,
    /// Its path.
    pub path: Cow<'static, str>,
    /// The status of the answer, or [`HUNG_UP`].
    pub status: u16,
    /// How long the answer took, in milliseconds.
    pub latency_ms: u64,
    /// What of its key may be shown.
    pub key_prefix: String,
    /// The address of the client.
    pub address: IpAddr,
    /// The id of the request.
    pub request_id: String,
}

/// A request with the number that it is recorded under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Its number among those of the account of the same moment, and very likely of all.
    pub number: u64,
    /// The request.
    pub request: AnsweredRequest,
}

/// Statuses that are asked for: one, or those of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFilter {
    /// One status.
    Exactly(u16),
    /// All that begin with this digit.
    Class(u16),
}

/// Why a text is not a status filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a status of HTTP, such as 404, or a class of them, such as 4xx")]
pub struct InvalidStatusFilter;

impl StatusFilter {
    /// Reads `404` or `4xx`.
    ///
    /// # Errors
    /// Refuses anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidStatusFilter> {
        if let Some((first, rest)) = text.split_at_checked(1)
            && rest.eq_ignore_ascii_case("xx")
        {
            let class = first.parse().map_err(|_| InvalidStatusFilter)?;
            return (1..=5)
                .contains(&class)
                .then_some(Self::Class(class))
                .ok_or(InvalidStatusFilter);
        }
        let is_digits = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        let status = text.parse().ok().filter(|_| is_digits);
        status
            .filter(|status| (100..=599).contains(status))
            .map(Self::Exactly)
            .ok_or(InvalidStatusFilter)
    }

    /// The first and the last status that is asked for.
    pub const fn bounds(self) -> (u16, u16) {
        match self {
            Self::Exactly(status) => (status, status),
            Self::Class(class) => {
                let first = class.saturating_mul(100);
                (first, first.saturating_add(99))
            }
        }
    }
}

impl fmt::Display for StatusFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(status) => write!(f, "{status}"),
            Self::Class(class) => write!(f, "{class}xx"),
        }
    }
}

/// Which requests of an account are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLogQuery {
    /// Answered from this moment on.
    pub from: Option<Timestamp>,
    /// Answered before this moment.
    pub before: Option<Timestamp>,
    /// Only with one of these statuses.
    pub status: Option<StatusFilter>,
    /// Only the one of this id.
    pub request_id: Option<String>,
    /// How many are skipped.
    pub offset: u64,
    /// Most that are answered.
    pub length: u32,
    /// By their moment.
    pub sort: Sort,
}

impl RequestLogQuery {
    /// Whether a request is asked for.
    pub fn wants(&self, request: &AnsweredRequest) -> bool {
        let has_status = |filter: StatusFilter| {
            let (first, last) = filter.bounds();
            (first..=last).contains(&request.status)
        };
        self.from.is_none_or(|from| request.at >= from)
            && self.before.is_none_or(|before| request.at < before)
            && self.status.is_none_or(has_status)
            && self
                .request_id
                .as_ref()
                .is_none_or(|id| *id == request.request_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_or_a_class_is_read_and_shown_as_it_was_written() {
        for (text, bounds) in [
            ("404", (404, 404)),
            ("499", (499, 499)),
            ("4xx", (400, 499)),
            ("1xx", (100, 199)),
        ] {
            let filter = StatusFilter::parse(text).unwrap();
            assert_eq!(
                (filter.bounds(), filter.to_string().as_str()),
                (bounds, text)
            );
        }
        let upper = StatusFilter::parse("5XX").unwrap();
        assert_eq!(upper.bounds(), (500, 599));
        for text in [
            "", "4", "4x", "40x", "xx", "6xx", "0xx", "99", "600", "+404", " 404", "4xxx", "éxx",
        ] {
            assert_eq!(
                StatusFilter::parse(text),
                Err(InvalidStatusFilter),
                "{text}"
            );
        }
    }
}
