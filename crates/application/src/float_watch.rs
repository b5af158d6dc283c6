//! Reads the balances at providers again and again, and warns when little is left. Nothing is
//! booked by what a provider says, and no order is held back by it.

use crate::gateway::Gateway;
use domain::float::ProviderBalance;
use domain::float_forecast::{BalanceReading, FloatForecast};
use domain::money::Money;
use domain::provider::ProviderId;
use ports::PortError;
use ports::balance_readings::BalanceReadings;
use ports::provider::Provider;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How often an instance looks whether a balance is due.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// What an operator set about our money at an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatSettings {
    /// Below this too little is left.
    pub low: Option<Money>,
    /// How often its balance is read, by all instances together; never where it is `None`.
    pub read_every: Option<Duration>,
}

impl FloatSettings {
    /// Without a limit, read every five minutes: a few hundred questions a day, which no published
    /// limit of a provider forbids.
    pub const DEFAULT: Self = Self {
        low: None,
        read_every: Some(Duration::from_mins(5)),
    };

    /// Whether a balance is below the limit. One in another currency cannot be compared.
    pub fn is_low(&self, balance: &ProviderBalance) -> bool {
        let available = balance.available;
        self.low.is_some_and(|low| {
            low.currency() == available.currency() && available.minor() < low.minor()
        })
    }
}

impl Default for FloatSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What an instance knows of the readings of one account.
#[derive(Debug, Default)]
struct Watched {
    /// The uptime at which it is looked at next.
    next: Duration,
    is_failing: bool,
}

/// Reads balances, one instance for all of them.
#[derive(Debug)]
pub struct FloatWatch {
    reader: BalanceReader,
    watched: BTreeMap<ProviderId, Watched>,
}

/// What reading a balance needs; clones share it.
#[derive(Debug, Clone)]
struct BalanceReader {
    gateway: Gateway,
    readings: Arc<dyn BalanceReadings>,
}

/// Why there is no new reading.
#[derive(Debug, thiserror::Error)]
enum NotRead {
    #[error("it did not answer in time")]
    TooLate,
    #[error(transparent)]
    Failed(#[from] PortError),
}

/// What came of looking at one account.
enum Look {
    /// An instance read it a while ago; this is left until it is due.
    NotDue(Duration),
    /// It was asked.
    Asked(Result<(), NotRead>),
}

impl FloatWatch {
    /// A watch that has read nothing yet.
    pub fn new(gateway: &Gateway, readings: Arc<dyn BalanceReadings>) -> Self {
        Self {
            reader: BalanceReader {
                gateway: gateway.clone(),
                readings,
            },
            watched: BTreeMap::new(),
        }
    }

    /// Reads until it is stopped.
    pub async fn run(mut self, stop: CancellationToken) {
        loop {
            self.reader.gateway.pause(LOOK_INTERVAL, &stop).await;
            if stop.is_cancelled() {
                return;
            }
            tokio::select! {
                () = self.look() => {}
                () = stop.cancelled() => return,
            }
        }
    }

    /// Reads every balance that is due, all at once: a provider that is slow delays no other.
    pub async fn look(&mut self) {
        let gateway = &self.reader.gateway;
        let (providers, uptime) = (gateway.providers_in_force(), gateway.uptime());
        let mut looks = JoinSet::new();
        for provider in providers.distinct() {
            let settings = providers.float(provider.id());
            let Some(every) = settings.read_every else {
                continue;
            };
            let watched = self.watched.get(provider.id());
            if watched.is_some_and(|it| uptime < it.next) {
                continue;
            }
            let reader = self.reader.clone();
            looks.spawn(async move {
                let look = reader.look_at(&*provider, (settings, every)).await;
                (provider.id().clone(), every, look)
            });
        }
        // One that panicked is looked at again the next time.
        while let Some(looked) = looks.join_next().await {
            let Ok((provider, every, look)) = looked else {
                continue;
            };
            let watched = self.watched.entry(provider.clone()).or_default();
            watched.take_in(&provider, (uptime, every), look);
        }
    }
}

impl BalanceReader {
    async fn look_at(&self, provider: &dyn Provider, settings: (FloatSettings, Duration)) -> Look {
        let (settings, every) = settings;
        let last = match self.readings.last(provider.id()).await {
            Ok(last) => last,
            Err(error) => return Look::Asked(Err(error.into())),
        };
        let now = self.gateway.now();
        if let Some(last) = &last {
            // A reading of a clock that was ahead does not stop the watch.
            let age = now.since(last.read_at);
            let is_of_the_past = last.read_at <= now;
            if is_of_the_past && let Some(left) = every.checked_sub(age).filter(|it| !it.is_zero())
            {
                return Look::NotDue(left);
            }
        }
        Look::Asked(self.read(provider, settings, last.as_ref()).await)
    }

    /// Asks one provider, keeps what it says, and warns where that crosses the limit. It is known
    /// from the last reading, so that of all instances one warns, and none again after a restart.
    async fn read(
        &self,
        provider: &dyn Provider,
        settings: FloatSettings,
        last: Option<&BalanceReading>,
    ) -> Result<(), NotRead> {
        let deadline = self.gateway.parts().settings.call_deadline;
        let asked = self.gateway.within(deadline, provider.balance()).await;
        let Some(balance) = asked.ok_or(NotRead::TooLate)?? else {
            return Ok(());
        };
        let reading = BalanceReading {
            provider: provider.id().clone(),
            is_low: settings.is_low(&balance),
            balance,
            read_at: self.gateway.now(),
        };
        self.readings.keep(&reading).await?;
        let was_low = last.is_some_and(|it| it.is_low);
        let (provider, available) = (provider.id(), balance.available);
        match (was_low, reading.is_low) {
            (false, true) => {
                let from = reading.read_at.minus(FloatForecast::LOOKS_BACK);
                let readings = self.readings.since(provider, from).await?;
                let lasts = FloatForecast::of(&readings).and_then(|it| it.lasts);
                let lasts_seconds = lasts.map(|it| it.as_secs());
                tracing::warn!(%provider, %available, low_float = ?settings.low, lasts_seconds,
                    "little is left of the money at a provider: pay it, or its orders are refused");
            }
            (true, false) => tracing::info!(%provider, %available,
                "enough is left of the money at a provider again"),
            (true, true) | (false, false) => {}
        }
        Ok(())
    }
}

impl Watched {
    fn take_in(
        &mut self,
        provider: &ProviderId,
        (uptime, every): (Duration, Duration),
        look: Look,
    ) {
        let result = match look {
            Look::NotDue(left) => {
                self.next = uptime.saturating_add(left.min(every));
                return;
            }
            Look::Asked(result) => result,
        };
        self.next = uptime.saturating_add(every);
        match result {
            Err(error) if !self.is_failing => {
                self.is_failing = true;
                tracing::warn!(%provider, %error, "the balance at a provider could not be read");
            }
            Ok(()) if self.is_failing => {
                self.is_failing = false;
                tracing::info!(%provider, "the balance at a provider is read again");
            }
            Ok(()) | Err(_) => {}
        }
    }
}
