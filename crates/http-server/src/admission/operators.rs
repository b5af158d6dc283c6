//! Admits the requests of operators. Their keys must open no account, and keys of accounts nothing
//! of operators.

use super::{RateLimiters, RequestSource, unknown_or_wrong};
use crate::admission::exceeded::too_many_failures;
use crate::layers::authentication::PresentedCredentials;
use crate::layers::login_throttle::Throttled;
use crate::layers::rate_limit::{Allowance, RateLimitClass};
use crate::reply::HttpReply;
use application::Gateway;
use application::administration::Administration;
use application::operators::NotSigned;
use application::operators::http_keys::is_http_key;
use domain::operator::OperatorName;
use http::HeaderMap;
use tracing::{Span, field};

/// An admitted request of an operator, and the allowance left.
#[derive(Debug)]
pub(crate) struct AdmittedOperator {
    pub(crate) operator: OperatorName,
    pub(crate) allowance: Allowance,
}

/// Whether a request comes with a key of an operator.
pub(crate) fn names_operator(headers: &HeaderMap) -> bool {
    let credentials = PresentedCredentials::of(headers).ok();
    let pair = credentials.as_ref().and_then(PresentedCredentials::pair);
    pair.is_some_and(|(_, key)| is_http_key(key))
}

impl RateLimiters {
    /// Admits a request that comes with a key of an operator, or returns the reason for the
    /// refusal. It counts against a limit of the operator, as a read: the key changes nothing.
    pub(crate) async fn admit_operator(
        &self,
        (gateway, administration): (&Gateway, Option<&dyn Administration>),
        source: &RequestSource<'_>,
    ) -> Result<AdmittedOperator, HttpReply> {
        let credentials = PresentedCredentials::of(source.headers)?;
        let (name, key) = credentials.pair().unwrap_or_default();
        let login = self.logins.login(source.address, name, key);
        let failed = |throttled: Result<(), Throttled>| {
            Span::current().record("client", field::display(source.address));
            throttled.map_err(too_many_failures)
        };
        if let Err(throttled) = self.logins.check(login, gateway.uptime()) {
            failed(Err(throttled))?;
        }
        if let Err(throttled) = self.logins.check_source(login, gateway.uptime()) {
            failed(Err(throttled))?;
        }
        let known = match administration {
            Some(administration) => administration.authenticate(name, key).await,
            None => Ok(None),
        };
        // Whatever the reason, a request that lets no operator in counts as a failed login.
        if known.is_err() {
            failed(self.logins.failed(login, gateway.uptime()))?;
        }
        let Some(operator) = known.map_err(log_unreadable)? else {
            failed(self.logins.failed(login, gateway.uptime()))?;
            return Err(unknown_or_wrong());
        };
        // No identity of an account has a colon.
        let counted_as = format!("operator:{operator}");
        Span::current().record("account", counted_as.as_str());
        let reads = RateLimitClass::Reads;
        let allowance = self.count(gateway, &counted_as, reads).await?;
        Ok(AdmittedOperator {
            operator,
            allowance,
        })
    }
}

/// The name and the key let no operator in, or not any more.
pub(crate) fn unknown_operator() -> HttpReply {
    unknown_or_wrong()
}

/// The log of operators could not be read, or is not as it was signed.
pub(crate) fn log_unreadable(why: NotSigned) -> HttpReply {
    match why {
        NotSigned::Store(error) => HttpReply::unavailable(&error),
        NotSigned::NoOperators
        | NotSigned::NoOperator(_)
        | NotSigned::OtherKey(_)
        | NotSigned::NotListed(_)
        | NotSigned::Broken(_)
        | NotSigned::Behind => {
            tracing::error!(%why, "the log of operators lets no operator in");
            HttpReply::broken()
        }
    }
}
