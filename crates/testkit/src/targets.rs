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
        let target = self.form(url)?;
        if url.starts_with("https://slow.example") {
            pending::<()>().await;
        }
        Ok(target)
    }

    fn form(&self, url: &str) -> Result<Target, RejectedUrl> {
        let target = Target::checked(url);
        let is_fit = url.starts_with("https://").then_some(target);
        is_fit.ok_or_else(|| RejectedUrl::Rule("must begin with https://".to_owned()))
    }
}
