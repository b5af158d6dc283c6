//! The settings of the edge and their default limits. They must never hold a secret: settings are
//! printed by the operator's tools.

use crate::layers::bucket::Quota;
use crate::layers::host::ServedHosts;
use crate::layers::traceparent::CallerTraces;
use crate::routes::logos::Logos;
use application::administration::Administration;
use arc_swap::ArcSwap;
use domain::account::AccountId;
use ipnet::IpNet;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

/// How long a client may take for a request's head, counted from its first byte, and a new
/// connection for its first byte. A head is one packet; ten seconds tolerate a bad mobile link and
/// cut a client that sends a byte at a time.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the TLS handshake may take: two round trips and a signature, on the same bad link.
pub const TLS_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a client may take for a request's body: the largest body over 300 kbit/s.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a connection may wait for its next request. Longer than most clients keep one pooled,
/// so that the client and not the gateway closes it: a request never meets a closing connection.
pub const IDLE_TIMEOUT: Duration = Duration::from_mins(2);

/// How long a client may read no byte of an answer at all before it counts as gone.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// How much of an answer a client must read a second once [`WRITE_TIMEOUT`] is over: 128 kbit/s. An
/// answer that is read slowly stays in memory for as long.
pub(crate) const WRITE_BYTES_PER_SECOND_MIN: u64 = 16 * 1024;

/// How long requests in flight may continue after a shutdown was requested: longer than the 20
/// seconds a payment's answer may take.
pub const GRACE: Duration = Duration::from_secs(25);

/// How long connections stay open after a shutdown was requested, so that a client that had sent a
/// request by then, or sends one before it notices, is answered with `Connection: close`: longer
/// than a busy client leaves a connection idle.
pub const LINGER: Duration = Duration::from_secs(1);

/// How many connections are open at a time. At some 40 kB each they stay far below the memory the
/// gateway is meant to run in. Where one more arrives, the connection that has waited longest for a
/// request and belongs to no account is ended.
pub const CONNECTIONS_MAX: usize = 4096;

/// How many connections beyond [`CONNECTIONS_MAX`] are answered with 503 at a time; more are closed
/// without an answer.
pub(crate) const REFUSED_AT_ONCE_MAX: usize = 32;

/// How long answering such a connection may take, its TLS handshake included.
pub(crate) const REFUSED_WITHIN: Duration = Duration::from_secs(3);

/// How many bytes of a request's body are read; a longer one is refused (interface §8, maxPayload).
pub const BODY_BYTES_MAX: usize = 1_048_576;

/// How many bytes a request's head may have: room for a generous query and the cookies of a
/// browser, and small enough to keep one per connection.
pub const HEAD_BYTES_MAX: usize = 32 * 1024;

/// How many header lines a request may have; browsers send some twenty. It is the default of the
/// HTTP library, and setting it costs an allocation per request.
pub const HEADERS_MAX: usize = 100;

/// The rate limits of each account, and of failed logins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Requests that create transactions: one every fifth of a second, and as many at once as in a
    /// minute, for paydays.
    pub payments: Quota,
    /// Requests that create up to a thousand transactions each: ten runs a minute are more than any
    /// payday needs.
    pub bulks: Quota,
    /// Requests answered from the gateway's own database and lists.
    pub reads: Quota,
    /// Requests forwarded to a third party, which has limits too.
    pub lookups: Quota,
    /// In how many minutes of an hour an account may exceed a limit before it is refused for the
    /// rest of the hour: by then it ignores the answers.
    pub violation_minutes_per_hour: NonZeroU32,
    /// How many logins of a kind may fail in a minute; see the login throttle for the kinds.
    pub failed_logins_per_minute: NonZeroU32,
}

impl Default for Limits {
    fn default() -> Self {
        // Panic safety: `new` is evaluated by the compiler; a zero would not build.
        const fn number<const NUMBER: u32>() -> NonZeroU32 {
            const { NonZeroU32::new(NUMBER).unwrap() }
        }
        Self {
            payments: Quota::new(number::<300>(), number::<60>()),
            bulks: Quota::per_minute(number::<10>()),
            reads: Quota::per_minute(number::<1200>()),
            lookups: Quota::per_minute(number::<60>()),
            violation_minutes_per_hour: number::<10>(),
            failed_logins_per_minute: number::<10>(),
        }
    }
}

/// The limits of accounts that an operator gave other ones than the rest. A reload replaces all of
/// them at once; what an account has used meanwhile is kept.
#[derive(Debug, Default)]
pub struct AccountLimits(ArcSwap<HashMap<String, Limits>>);

impl AccountLimits {
    /// The limits of these accounts.
    pub fn new(own: impl IntoIterator<Item = (AccountId, Limits)>) -> Self {
        Self(ArcSwap::from_pointee(by_name(own)))
    }

    /// Puts others in their place.
    pub fn replace(&self, own: impl IntoIterator<Item = (AccountId, Limits)>) {
        self.0.store(Arc::new(by_name(own)));
    }

    /// The limits of an account, where it has its own.
    pub(crate) fn of(&self, account: &str) -> Option<Limits> {
        let own = self.0.load();
        own.get(account).copied()
    }
}

fn by_name(own: impl IntoIterator<Item = (AccountId, Limits)>) -> HashMap<String, Limits> {
    let named = |(account, limits): (AccountId, Limits)| (account.as_str().to_owned(), limits);
    own.into_iter().map(named).collect()
}

/// Whether requests in VTpass's shape are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VtpassRequests {
    /// Their paths are unknown, as any that is none of the interface.
    #[default]
    Refused,
    /// They are, below `/vtpass/api/`.
    Served,
}

/// Whether clients may speak HTTP/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Http2Support {
    /// TLS offers it beside HTTP/1.1, and a client chooses (RFC 7301).
    #[default]
    Offered,
    /// TLS offers HTTP/1.1 alone.
    Off,
}

/// The settings with which the edge starts.
#[derive(Debug, Clone)]
pub struct EdgeSettings {
    /// A number that differs at every start; it makes request ids unique across restarts.
    pub instance: u64,
    /// See [`HEAD_TIMEOUT`].
    pub head_timeout: Duration,
    /// See [`TLS_TIMEOUT`].
    pub tls_timeout: Duration,
    /// See [`BODY_TIMEOUT`].
    pub body_timeout: Duration,
    /// See [`IDLE_TIMEOUT`].
    pub idle_timeout: Duration,
    /// See [`WRITE_TIMEOUT`].
    pub write_timeout: Duration,
    /// See [`LINGER`].
    pub linger: Duration,
    /// See [`GRACE`].
    pub grace: Duration,
    /// See [`CONNECTIONS_MAX`].
    pub connections_max: usize,
    /// See [`Limits`].
    pub limits: Limits,
    /// See [`AccountLimits`].
    pub account_limits: Arc<AccountLimits>,
    /// The proxies trusted to name the client of a request, and whether it came encrypted.
    pub trusted_proxies: Vec<IpNet>,
    /// The hosts a request may name; any host without this setting.
    pub hosts: Option<ServedHosts>,
    /// The origins whose pages may read answers, as browsers write them; all origins without this
    /// setting.
    pub cors_origins: Option<Vec<String>>,
    /// The operator's logos for brands.
    pub logos: Logos,
    /// See [`VtpassRequests`].
    pub vtpass: VtpassRequests,
    /// See [`CallerTraces`].
    pub caller_traces: CallerTraces,
    /// See [`Http2Support`].
    pub http2: Http2Support,
    /// What operators ask for; without it none is let in.
    pub administration: Option<Arc<dyn Administration>>,
}

impl EdgeSettings {
    /// The default settings; `instance` is a number that differs at every start.
    pub fn new(instance: u64) -> Self {
        Self {
            instance,
            head_timeout: HEAD_TIMEOUT,
            tls_timeout: TLS_TIMEOUT,
            body_timeout: BODY_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
            write_timeout: WRITE_TIMEOUT,
            linger: LINGER,
            grace: GRACE,
            connections_max: CONNECTIONS_MAX,
            limits: Limits::default(),
            account_limits: Arc::default(),
            trusted_proxies: Vec::new(),
            hosts: None,
            cors_origins: None,
            logos: Logos::default(),
            vtpass: VtpassRequests::default(),
            caller_traces: CallerTraces::default(),
            http2: Http2Support::default(),
            administration: None,
        }
    }
}
