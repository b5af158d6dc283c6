//! What every operation is given. It must hold nothing of one request.

use crate::admission::RateLimiters;
use crate::layers::callback_limits::CallbackLimits;
use crate::layers::page_limits::PageLimits;
use crate::routes::logos::Logos;
use crate::routes::vtpass::UnknownIds;
use crate::settings::VtpassRequests;
use application::Gateway;
use application::administration::Administration;
use std::sync::Arc;
use std::time::Duration;

/// The shared state of every operation.
#[derive(Debug, Clone)]
pub(crate) struct App {
    pub(crate) gateway: Gateway,
    pub(crate) body_timeout: Duration,
    pub(crate) limiters: Arc<RateLimiters>,
    pub(crate) logos: Logos,
    pub(crate) callbacks: Arc<CallbackLimits>,
    pub(crate) pages: Arc<PageLimits>,
    pub(crate) vtpass: VtpassRequests,
    pub(crate) unknown_ids: Arc<UnknownIds>,
    /// What operators ask for; none where no operator is let in.
    pub(crate) administration: Option<Arc<dyn Administration>>,
}
