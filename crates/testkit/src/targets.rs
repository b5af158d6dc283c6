//! Which addresses endpoints may have, for tests. It must send no query: names are resolved where
//! addresses are dialled.

use async_trait::async_trait;
use domain::account::AccountId;
use domain::webhook::Target;
use ports::webhooks::{RejectedUrl, WebhookUrlPolicy};
use std::future::pending;

/// Takes every address that begins with `https://`, and never comes to an end about one at
/// `slow.example`.
#[derive(Debug)]
pub struct HttpsTargets;

#[async_trait]
impl WebhookUrlPolicy for HttpsTargets {
    async fn check(&self, _: &AccountId, url: &str) -> Result<Target, RejectedUrl> {
        let Some(rest) = url.strip_prefix("https://") else {
            return Err(RejectedUrl::Rule("must begin with https://".to_owned()));
        };
        if rest.starts_with("slow.example") {
            pending::<()>().await;
        }
        Ok(Target::checked(url))
    }
}
