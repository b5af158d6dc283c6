//! One operation as data: its verb, path, kind and handler. It must not know which operations there
//! are.

use super::path;
use super::verb::Verb;
use crate::authenticated_request::{AuthenticatedRequest, OperationHandle};
use crate::layers::concurrency::WorkClass;
use crate::layers::rate_limit::RateLimitClass;
use crate::operator_request::{OperatorHandle, OperatorRequest};
use crate::reply::HttpReply;
use application::Gateway;
use domain::access::AccessScope;
use http::Method;
use std::fmt;
use std::future::Future;

/// What answers the requests of an operation.
pub(crate) enum RouteHandler {
    /// Answers without credentials, always the same.
    Public(fn() -> HttpReply),
    /// Answers authenticated requests.
    Operation(Box<OperationHandle>),
    /// Answers requests of operators; those of accounts are refused.
    Operator(Box<OperatorHandle>),
}

/// The effect of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RouteKind {
    /// Creates a transaction.
    Money,
    /// Creates many transactions.
    Bulk,
    /// Changes the settings of an account, or sends something, and moves no money.
    Change,
    /// Asks a provider for a price that it keeps for a while, or examines what it is sent. Nothing
    /// is stored.
    Quote,
    /// Reads.
    Read,
    /// Lists transactions or batches of them, for which many are read.
    List,
    /// Shows many lines of the gateway's own ledger.
    Page,
    /// Queries a third party: a biller, a bank, a network.
    Lookup,
    /// Queries a third party and is charged, although it is a GET.
    PaidLookup,
    /// Reports that the process answers, with or without credentials.
    Health,
    /// Serves the documentation of the interface, with or without credentials; it is no operation,
    /// and has no envelope.
    Documentation,
}

impl RouteKind {
    /// The limit its requests count against.
    pub(super) const fn class(self) -> RateLimitClass {
        match self {
            Self::Money => RateLimitClass::Payments,
            Self::Bulk => RateLimitClass::Bulks,
            // An address is looked up, something is sent, or much is read.
            Self::Lookup | Self::PaidLookup | Self::Quote | Self::Change | Self::List => {
                RateLimitClass::Lookups
            }
            // The last two admit requests without an account, so nothing is counted there.
            Self::Read | Self::Page | Self::Health | Self::Documentation => RateLimitClass::Reads,
        }
    }

    /// The cost of its requests while they are processed.
    pub(super) const fn work(self) -> WorkClass {
        match self {
            Self::Money => WorkClass::Payment,
            Self::Bulk => WorkClass::Bulk,
            Self::Change | Self::Quote | Self::Lookup | Self::PaidLookup => WorkClass::Lookup,
            Self::List | Self::Page => WorkClass::Page,
            Self::Read | Self::Health | Self::Documentation => WorkClass::Read,
        }
    }

    /// Whether no credentials are required. Nothing of an account may be shown there.
    pub(super) const fn is_public(self) -> bool {
        match self {
            Self::Health | Self::Documentation => true,
            Self::Money
            | Self::Bulk
            | Self::Change
            | Self::Quote
            | Self::Read
            | Self::List
            | Self::Page
            | Self::Lookup
            | Self::PaidLookup => false,
        }
    }

    /// Operations that create, change or quote something are POST; all others are GET.
    pub(super) const fn verb(self) -> Verb {
        match self {
            Self::Money | Self::Bulk | Self::Change | Self::Quote => Verb::Post,
            Self::Read
            | Self::List
            | Self::Page
            | Self::Lookup
            | Self::PaidLookup
            | Self::Health
            | Self::Documentation => Verb::Get,
        }
    }

    /// The scope that a key needs for its requests, unless its row names another.
    pub(super) const fn scope(self) -> Option<AccessScope> {
        match self {
            // A lookup that is charged is a payment.
            Self::Money | Self::Bulk | Self::PaidLookup => Some(AccessScope::Pay),
            Self::Change => Some(AccessScope::Manage),
            Self::Lookup | Self::Quote => Some(AccessScope::Lookup),
            Self::Read | Self::List | Self::Page => Some(AccessScope::Read),
            Self::Health | Self::Documentation => None,
        }
    }

    /// An operation of this kind at a path.
    pub(crate) const fn at(self, path: &'static str, handler: RouteHandler) -> RouteRow {
        RouteRow {
            verb: self.verb(),
            path,
            kind: self,
            scope: self.scope(),
            handler,
        }
    }
}

/// One operation.
pub struct RouteRow {
    pub verb: Verb,
    pub path: &'static str,
    pub kind: RouteKind,
    /// The scope that a key needs; none where no credentials are needed.
    pub scope: Option<AccessScope>,
    pub(super) handler: RouteHandler,
}

impl fmt::Debug for RouteRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} ({:?})", self.verb, self.path, self.kind)
    }
}

impl RouteRow {
    /// The same operation for keys with another scope.
    pub(super) const fn needing(mut self, scope: AccessScope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Whether it is for operators alone: every key of an account is answered 403.
    pub const fn is_of_operators(&self) -> bool {
        matches!(self.handler, RouteHandler::Operator(_))
    }

    /// Whether a path is its own.
    pub(super) fn is_at(&self, path: &str) -> bool {
        path::is_at(self.path, path)
    }

    /// Whether it answers a request. A client that sends HEAD checks whether something exists and
    /// expects no charge, so HEAD is not answered where GET is charged.
    pub(super) fn answers(&self, method: &Method, path: &str) -> bool {
        let is_charged_head = self.kind == RouteKind::PaidLookup && method == Method::HEAD;
        self.is_at(path) && self.verb.answers(method) && !is_charged_head
    }

    /// The verbs it adds to its path.
    pub(super) const fn allows(&self) -> &'static str {
        match self.kind {
            RouteKind::PaidLookup => "GET, ",
            RouteKind::Money
            | RouteKind::Bulk
            | RouteKind::Change
            | RouteKind::Quote
            | RouteKind::Read
            | RouteKind::List
            | RouteKind::Page
            | RouteKind::Lookup
            | RouteKind::Health
            | RouteKind::Documentation => self.verb.allows(),
        }
    }
}

/// The handler of an operation for authenticated requests.
pub(super) fn operation<F, A>(handle: F) -> RouteHandler
where
    F: Fn(Gateway, AuthenticatedRequest) -> A + Send + Sync + 'static,
    A: Future<Output = Result<HttpReply, HttpReply>> + Send + 'static,
{
    RouteHandler::Operation(Box::new(move |gateway, call| {
        Box::pin(handle(gateway, call))
    }))
}

/// The handler of an operation for requests of operators.
pub(super) fn operator<F, A>(handle: F) -> RouteHandler
where
    F: Fn(Gateway, OperatorRequest) -> A + Send + Sync + 'static,
    A: Future<Output = Result<HttpReply, HttpReply>> + Send + 'static,
{
    RouteHandler::Operator(Box::new(move |gateway, call| {
        Box::pin(handle(gateway, call))
    }))
}

/// The handler of something that is read without credentials.
pub(crate) const fn public(handle: fn() -> HttpReply) -> RouteHandler {
    RouteHandler::Public(handle)
}
