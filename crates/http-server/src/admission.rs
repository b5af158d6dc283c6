//! Admits requests: checks credentials, rate limits and failed logins. It must decide before
//! anything of a request beyond its head is read.

mod exceeded;
pub(crate) mod operators;
mod refused_keys;
mod signatures;

pub(crate) use self::refused_keys::{address_refused, key_frozen};
pub(crate) use self::signatures::body_altered;

use self::exceeded::{too_many_at_once, too_many_failures, too_many_requests};
use self::refused_keys::{key_denied, scope_lacking, unknown_or_wrong};
use self::signatures::{is_failed_login, signature_refused};
use crate::layers::authentication::{CHALLENGE, NoCredentials, PresentedCredentials};
use crate::layers::concurrency::{ConcurrencyLimits, ConcurrencyPermit, WorkClass};
use crate::layers::connection_owner::ConnectionOwner;
use crate::layers::login_throttle::{LoginThrottle, Throttled};
use crate::layers::rate_limit::{Allowance, RateLimitClass, RateLimits};
use crate::layers::request_id::RequestId;
use crate::layers::signature::{self, SignedHead};
use crate::reply::HttpReply;
use crate::settings::{AccountLimits, Limits};
use application::access::Forbidden;
use application::credentials::{Denied, LapsedGrant, key_hint};
use application::peers::Budgets;
use application::peers::UsageDelta;
use application::{ClientRequest, Gateway, Merchant};
use domain::access::AccessScope;
use domain::account::AccountId;
use http::StatusCode;
use http::header::{HeaderMap, WWW_AUTHENTICATE};
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tracing::{Span, field};

/// How long a refusal is delayed for an account that keeps sending in spite of refusals: a
/// connection that does nothing else is refused twice a second, and other accounts are not
/// affected.
const REFUSAL_PAUSE: Duration = Duration::from_millis(500);

/// The state of admission: rate limits, failed logins and concurrency limits.
#[derive(Debug)]
pub(crate) struct RateLimiters {
    rates: RateLimits,
    logins: LoginThrottle,
    concurrency: ConcurrencyLimits,
}

/// What admission looks at of a request.
#[derive(Debug)]
pub(crate) struct RequestSource<'a> {
    /// What its signature covers, and the signature.
    pub(crate) signed: SignedHead<'a>,
    /// The headers with its credentials.
    pub(crate) headers: &'a HeaderMap,
    /// The address of the client.
    pub(crate) address: IpAddr,
    /// The id of the request.
    pub(crate) id: RequestId,
    /// Its connection, which is of the account once a request was authenticated.
    pub(crate) connection: Option<&'a dyn ConnectionOwner>,
    /// Who opened it, once that is known.
    pub(crate) opener: &'a OnceLock<RequestOpener>,
}

/// The account that a request is of and what of its key may be shown.
#[derive(Debug)]
pub(crate) struct RequestOpener {
    pub(crate) account: AccountId,
    pub(crate) key_prefix: String,
}

impl RequestSource<'_> {
    /// Notes that a key of an account opened the request, also where it is refused for another
    /// reason: its account sees it in its log.
    fn is_opened(&self, identity: &str, key: &str) {
        if let Ok(account) = AccountId::parse(identity) {
            // A request is admitted once.
            let key_prefix = key_hint(key);
            let _ = self.opener.set(RequestOpener {
                account,
                key_prefix,
            });
        }
    }

    /// The merchant that was let in, with the request that it was let in with.
    fn merchant(&self, merchant: Merchant) -> Merchant {
        let request = ClientRequest {
            address: self.address,
            id: self.id.as_str().to_owned(),
        };
        Merchant {
            request: Some(request),
            ..merchant
        }
    }
}

/// What the row of an operation asks of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RouteNeeds {
    /// The limit it counts against.
    pub(crate) class: RateLimitClass,
    /// The scope that its key needs.
    pub(crate) scope: Option<AccessScope>,
}

/// An admitted request, and the allowance left to its account.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) merchant: Merchant,
    pub(crate) allowance: Allowance,
}

impl RateLimiters {
    pub(crate) fn new(limits: Limits, own: Arc<AccountLimits>) -> Self {
        Self {
            rates: RateLimits::new(limits, own),
            logins: LoginThrottle::new(limits.failed_logins_per_minute),
            concurrency: ConcurrencyLimits::default(),
        }
    }
}

/// Usage of accounts is shared with the other instances. Failed logins are not: they cost a source
/// its next attempt on this instance, and a message for each would let a guesser cause traffic
/// between the instances.
impl Budgets for RateLimiters {
    fn used_here(&self) -> Vec<UsageDelta> {
        self.rates.used_here()
    }

    fn used_elsewhere(&self, spent: &[UsageDelta], uptime: Duration) {
        self.rates.used_elsewhere(spent, uptime);
    }
}

impl RateLimiters {
    /// Admits a request or returns the reason for the refusal; nothing was done in that case.
    pub(crate) async fn admit(
        &self,
        gateway: &Gateway,
        source: &RequestSource<'_>,
        needs: RouteNeeds,
    ) -> Result<Admitted, HttpReply> {
        let credentials = PresentedCredentials::of(source.headers)?;
        let (identity, key) = credentials.pair().ok_or(NoCredentials::Malformed)?;
        let from = source.address;
        let logins = &self.logins;
        let login = logins.login(from, identity, key);
        let failed = |throttled: Result<(), Throttled>| {
            // Only failed requests are logged with their address: the addresses merchants work from
            // are not recorded.
            Span::current().record("client", field::display(from));
            throttled.map_err(too_many_failures)
        };
        if let Err(throttled) = logins.check(login, gateway.uptime()) {
            failed(Err(throttled))?;
        }
        if let Err(throttled) = logins.check_source(login, gateway.uptime())
            && !gateway.remembers(identity)
        {
            failed(Err(throttled))?;
        }
        let authenticated = gateway.authenticate(identity, key).await;
        if is_key_right(&authenticated) {
            source.is_opened(identity, key);
        }
        let merchant = match authenticated {
            Ok(merchant) => source.merchant(merchant),
            Err(Denied::UnknownOrWrong) => {
                failed(logins.failed(login, gateway.uptime()))?;
                return Err(unknown_or_wrong());
            }
            Err(Denied::Unavailable(error)) => return Err(HttpReply::unavailable(&error)),
            // It is identified, and counted like any identified request.
            Err(Denied::Suspended) => {
                let refused = HttpReply::suspended();
                return Err(self.counted(gateway, (identity, needs), refused).await);
            }
            // A key that has ended or is frozen may be in other hands: what is sent with it must
            // take nothing from the limits of the account.
            Err(denied @ (Denied::KeyFrozen | Denied::Expired | Denied::UserInactive)) => {
                failed(logins.failed(login, gateway.uptime()))?;
                return Err(key_denied(&denied));
            }
        };
        // A key may be narrow, or sign, because it is in more hands: what it may not do takes
        // nothing from the limits of the account either.
        if let Err(refused) = permitted(gateway, source, (&merchant, needs.scope)) {
            if refused.is_failed_login {
                failed(logins.failed(login, gateway.uptime()))?;
            }
            return Err(refused.reply);
        }
        if let Some(connection) = source.connection {
            connection.is_of(&merchant.account.id);
        }
        note_in_log(&merchant);
        let account = merchant.account.id.as_str();
        let allowance = self.count(gateway, account, needs.class).await?;
        Ok(Admitted {
            merchant,
            allowance,
        })
    }

    /// The refusal of an identified request, or that of the limit it counts against.
    async fn counted(
        &self,
        gateway: &Gateway,
        (account, needs): (&str, RouteNeeds),
        refused: HttpReply,
    ) -> HttpReply {
        self.count(gateway, account, needs.class).await.map_or_else(
            |exceeded| exceeded,
            |allowance| refused.with_allowance(allowance),
        )
    }

    /// Waits for a concurrency permit among the requests of the account.
    pub(crate) async fn permit(
        &self,
        gateway: &Gateway,
        merchant: &Merchant,
        work: WorkClass,
    ) -> Result<ConcurrencyPermit, HttpReply> {
        let permit = self.concurrency.take(&merchant.account.id, work);
        match permit.await {
            Ok(permit) => Ok(permit),
            Err(full) => {
                gateway.wait(REFUSAL_PAUSE).await;
                Err(too_many_at_once(full))
            }
        }
    }

    /// Counts a request against the limit of its class.
    async fn count(
        &self,
        gateway: &Gateway,
        account: &str,
        class: RateLimitClass,
    ) -> Result<Allowance, HttpReply> {
        let rates = &self.rates;
        match rates.admit(account, class, gateway.uptime()) {
            Ok(allowance) => Ok(allowance),
            Err(exceeded) => {
                if exceeded.goes_on {
                    gateway.wait(REFUSAL_PAUSE).await;
                }
                Err(too_many_requests(rates, (account, class), exceeded))
            }
        }
    }
}

/// A request that its key does not let in.
struct NotPermitted {
    reply: HttpReply,
    /// Whether it counts as a failed login.
    is_failed_login: bool,
}

/// Whether a key lets a request in: from there, with the scope that it needs, and signed.
fn permitted(
    gateway: &Gateway,
    source: &RequestSource<'_>,
    (merchant, scope): (&Merchant, Option<AccessScope>),
) -> Result<(), NotPermitted> {
    if let Err(forbidden) = merchant.grant.permit(source.address, scope) {
        let reply = match forbidden {
            Forbidden::Network => address_refused(source.address),
            Forbidden::Scope(scope) => scope_lacking(scope),
        };
        return Err(NotPermitted {
            reply,
            is_failed_login: true,
        });
    }
    let (signed, received) = signature::read(source.signed);
    let checked = gateway.check_signature(merchant, signed, received);
    checked.map_err(|refused| NotPermitted {
        reply: signature_refused(&refused),
        is_failed_login: is_failed_login(&refused),
    })
}

impl HttpReply {
    /// The same answer with the headers for the rest of the account's limit.
    pub(crate) fn with_allowance(self, allowance: Allowance) -> Self {
        let headers = allowance.headers().into_iter();
        headers.fold(self, |reply, (name, value)| reply.with_header(name, value))
    }
}

/// Whether the key is one of the account, also where it lets nothing in now.
fn is_key_right(authenticated: &Result<Merchant, Denied>) -> bool {
    match authenticated {
        Ok(_)
        | Err(Denied::Suspended | Denied::KeyFrozen | Denied::Expired | Denied::UserInactive) => {
            true
        }
        Err(Denied::UnknownOrWrong | Denied::Unavailable(_)) => false,
    }
}

/// Says in the log whose request it is, and with which key.
fn note_in_log(merchant: &Merchant) {
    Span::current().record("account", merchant.account.id.as_str());
    Span::current().record("key", field::display(merchant.grant.key));
}

/// Whether the key of a request that was let in still lets it in, once its body was read.
///
/// # Errors
/// The refusal where the key was frozen or given other networks since, or that is not known.
pub(crate) async fn still_let_in(gateway: &Gateway, merchant: &Merchant) -> Result<(), HttpReply> {
    match Box::pin(gateway.lapsed_grant(merchant)).await {
        Ok(None) => Ok(()),
        Ok(Some(LapsedGrant::Frozen)) => Err(key_frozen()),
        Ok(Some(LapsedGrant::Network(from))) => Err(address_refused(from)),
        Err(failed) => Err(HttpReply::unavailable(&failed)),
    }
}

impl From<NoCredentials> for HttpReply {
    fn from(reason: NoCredentials) -> Self {
        let message = "The request carries no valid credentials.";
        Self::request(StatusCode::UNAUTHORIZED, message, reason.to_string())
            .with_header(WWW_AUTHENTICATE, CHALLENGE)
    }
}

#[cfg(test)]
mod fairness;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod tests;
