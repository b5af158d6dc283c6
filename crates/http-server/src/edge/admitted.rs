//! Answers requests whose key opens an account, or is that of an operator. It must not decide
//! which.

use super::refusals::turned_away;
use super::{Arrival, Edge};
use crate::admission::Admitted;
use crate::admission::operators::AdmittedOperator;
use crate::app::App;
use crate::authenticated_request::RequestOrigin;
use crate::layers::body::Body;
use crate::layers::signature::SignedHead;
use crate::reply::HttpReply;
use http::Request;

impl Edge {
    /// Answers a request of an account.
    pub(super) async fn answer_account(
        &self,
        (admitted, anyone): (Admitted, RequestOrigin<'_>),
        request: Request<Body>,
        acceptable: bool,
    ) -> HttpReply {
        let Admitted {
            merchant,
            allowance,
        } = admitted;
        let origin = RequestOrigin {
            merchant: Some(merchant),
            ..anyone
        };
        let reply = self.answer_read(origin, request, acceptable);
        Box::pin(reply).await.with_allowance(allowance)
    }

    /// Answers a request that comes with a key of an operator.
    pub(super) async fn answer_operator(
        &self,
        arrival: &Arrival<'_>,
        request: Request<Body>,
    ) -> HttpReply {
        let App {
            limiters,
            gateway,
            administration,
            ..
        } = &self.0.app;
        let source = arrival.source(SignedHead::of(&request), request.headers());
        let administration = (gateway, administration.as_deref());
        let admitted = limiters.admit_operator(administration, &source);
        let AdmittedOperator {
            operator,
            allowance,
        } = match admitted.await {
            Ok(admitted) => admitted,
            Err(reply) => return turned_away(request, reply).await,
        };
        let origin = RequestOrigin {
            merchant: None,
            operator: Some(operator),
            host: arrival.host,
        };
        let reply = self.answer_read(origin, request, arrival.acceptable);
        Box::pin(reply).await.with_allowance(allowance)
    }
}
