//! A gateway whose accounts have endpoints at a receiver. It must deliver to this machine, to which
//! it has to be allowed.

use super::receiver::BenchReceiver;
use crate::bench::SpeedBench;
use crate::books::BenchStore;
use crate::gateway::BenchGateway;
use crate::load::{self, post, send};
use anyhow::{Context, Result, bail};

/// A gateway, and where it tells of events.
#[derive(Debug)]
pub(super) struct BenchShop {
    pub(super) gateway: BenchGateway,
    pub(super) receiver: BenchReceiver,
}

impl BenchShop {
    /// A gateway with a name, with so many accounts and further settings, and no endpoint yet.
    pub(super) async fn open(
        bench: &SpeedBench,
        (name, store): (&str, BenchStore),
        accounts: usize,
        settings: &str,
    ) -> Result<Self> {
        let mut gateway = bench.gateway(name, store, accounts).await?;
        gateway.stop().await?;
        let authority = gateway.data.join("ca.pem");
        let settings = format!(
            "[webhook]\nallow_loopback = true\nauthorities = \"{}\"\n{settings}",
            authority.display()
        );
        std::fs::write(gateway.data.join("manilla.toml"), settings)?;
        gateway.restart().await?;
        let receiver = BenchReceiver::start(&gateway.data).await?;
        Ok(Self { gateway, receiver })
    }

    /// Makes an endpoint of an account, which receives successful payments; its number.
    pub(super) async fn endpoint(&self, account: usize, url: &str) -> Result<u64> {
        let body = format!("{{\"whkUrl\":\"{url}\",\"whkEvents\":\"transaction.successful\"}}");
        let answer = self.post(account, "/webhook/endpoint", &body).await?;
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        let id = answer
            .get("whkIdentifier")
            .and_then(serde_json::Value::as_u64);
        id.context("the endpoint has no number")
    }

    /// Replaces an endpoint of an account by another address; its number.
    pub(super) async fn replaced(&self, account: usize, old: &str, new: &str) -> Result<u64> {
        let payer = self.gateway.payers.get(account).context("no account")?;
        let list = load::get(payer, "/webhook/endpoint");
        let list = load::ask(self.gateway.server()?, &list).await?;
        let list: serde_json::Value = serde_json::from_str(&list)?;
        let all = list.get("endpoints").and_then(serde_json::Value::as_array);
        let found = all.context("no endpoints")?.iter().find_map(|endpoint| {
            let same = endpoint.get("whkUrl")?.as_str()? == old;
            same.then(|| endpoint.get("whkIdentifier")?.as_u64())
                .flatten()
        });
        self.remove(account, found.context("the endpoint is not there")?)
            .await?;
        self.endpoint(account, new).await
    }

    pub(super) async fn remove(&self, account: usize, id: u64) -> Result<()> {
        let body = format!("{{\"whkIdentifier\":{id}}}");
        self.post(account, "/webhook/delete", &body).await.map(drop)
    }

    async fn post(&self, account: usize, target: &str, body: &str) -> Result<String> {
        let payer = self.gateway.payers.get(account).context("no account")?;
        let (status, answer) = send(self.gateway.server()?, &post(payer, target, body)).await?;
        if !(200..300).contains(&status) {
            bail!("{target} was answered {status}: {answer}");
        }
        Ok(answer)
    }

    /// Memory of the gateway in MiB: now, and at its peak.
    pub(super) fn resident_mib(&self) -> Result<(f64, f64)> {
        self.gateway.server()?.resident_mib()
    }

    /// Stops the gateway; its books must be right.
    pub(super) async fn close(mut self) -> Result<()> {
        self.gateway.stop().await?;
        self.gateway.audit()
    }
}
