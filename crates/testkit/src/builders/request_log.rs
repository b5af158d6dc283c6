//! Requests of accounts in the log, in few words.

use super::{account_id, at};
use domain::request_log::{AnsweredRequest, LoggedRequest};

/// A request of an account called `account` that was answered at this second.
pub fn answered_request(account: &str, second: u64) -> AnsweredRequest {
    AnsweredRequest {
        account: account_id(account),
        at: at(second),
        method: "POST".into(),
        path: "/payment/airtime".into(),
        status: 201,
        latency_ms: 38,
        key_prefix: "mk_test_0007".to_owned(),
        address: "203.0.113.7".parse().expect("an address"),
        request_id: format!("{:024x}", second.wrapping_add(0x5c1d_8f1b)),
    }
}

/// The same under a number that is the second.
pub fn logged_request(account: &str, second: u64) -> LoggedRequest {
    LoggedRequest {
        number: second,
        request: answered_request(account, second),
    }
}
