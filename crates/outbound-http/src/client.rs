//! One exchange after the other with one target. It must ask for the permit after the connection
//! stands and before the first byte, with nothing to wait for between the permit's use and the
//! write.

use crate::connection::LiveConnection;
use crate::dial::dial;
use crate::failure::{ExchangeError, NotSentCause};
use crate::message::{OutboundAnswer, OutboundRequest};
use crate::pool::ConnectionPool;
use crate::target::OutboundTarget;
use crate::tls::{ClientTlsError, client_config};
use ports::clock::Clock;
use ports::permit::{Granted, SendPermit};
use rustls_pki_types::CertificateDer;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;

/// How many exchanges with one target are under way at once. Those beyond wait for their turn until
/// their deadline, and have sent nothing by then.
const EXCHANGES_MAX: usize = 256;

/// How requests are sent.
#[derive(Debug, Clone)]
pub struct OutboundSettings {
    /// How long resolving, connecting and agreeing on keys may take together, within the deadline.
    pub connect: Duration,
    /// Most bytes of a body of an answer.
    pub body_max: usize,
    /// Authorities that are trusted besides those of the machine.
    pub authorities: Vec<CertificateDer<'static>>,
}

impl Default for OutboundSettings {
    /// Three seconds leave time for the permit, which ends 5 s after the attempt was recorded; the
    /// answers of payment interfaces have a few kilobytes.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            body_max: 64 * 1024,
            authorities: Vec::new(),
        }
    }
}

/// Sends requests to one target.
pub struct OutboundClient {
    target: OutboundTarget,
    connect: Duration,
    body_max: usize,
    tls: TlsConnector,
    pool: ConnectionPool,
    turns: Semaphore,
}

impl OutboundClient {
    /// A client of a target.
    pub fn new(
        target: OutboundTarget,
        settings: OutboundSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientTlsError> {
        let tls = client_config(settings.authorities)?;
        Ok(Self {
            target,
            connect: settings.connect,
            body_max: settings.body_max,
            tls: TlsConnector::from(Arc::new(tls)),
            pool: ConnectionPool::new(clock),
            turns: Semaphore::new(EXCHANGES_MAX),
        })
    }

    /// Sends a request that changes something, once, if the permit allows it.
    pub async fn submit(
        &self,
        request: OutboundRequest,
        deadline: Duration,
        permit: &dyn SendPermit,
    ) -> Result<OutboundAnswer, ExchangeError> {
        self.exchange(request, deadline, Some(permit)).await
    }

    /// Sends a request that changes nothing.
    pub async fn ask(
        &self,
        request: OutboundRequest,
        deadline: Duration,
    ) -> Result<OutboundAnswer, ExchangeError> {
        self.exchange(request, deadline, None).await
    }

    async fn exchange(
        &self,
        request: OutboundRequest,
        deadline: Duration,
        permit: Option<&dyn SendPermit>,
    ) -> Result<OutboundAnswer, ExchangeError> {
        let request = request.to(&self.target)?;
        let mut too_late = pin!(sleep(deadline));
        let begun = async {
            // The semaphore is never closed.
            let turn = self.turns.acquire().await;
            let turn = turn.map_err(|_| NotSentCause::Closed)?;
            self.ready(permit).await.map(|ready| (turn, ready))
        };
        let (_turn, (mut connection, granted)) = tokio::select! {
            biased;
            begun = begun => begun?,
            () = &mut too_late => return Err(NotSentCause::TimedOut.into()),
        };
        if let Some(granted) = granted {
            granted.begin_writing().map_err(NotSentCause::Withheld)?;
        }
        // Biased: the exchange is polled first, and its first poll writes.
        let answer = tokio::select! {
            biased;
            answer = connection.exchange(request, self.body_max) => answer?,
            () = &mut too_late => return Err(ExchangeError::Timeout),
        };
        if connection.is_usable().await {
            self.pool.put(connection);
        }
        Ok(answer)
    }

    /// A connection over which a request may be sent, and the permit to send it.
    async fn ready(
        &self,
        permit: Option<&dyn SendPermit>,
    ) -> Result<(LiveConnection, Option<Granted>), NotSentCause> {
        while let Some(mut reused) = self.pool.take().await {
            let granted = ask(&mut reused, permit).await?;
            if reused.is_usable().await {
                return Ok((reused, granted));
            }
        }
        let dialled = timeout(self.connect, dial(&self.target, &self.tls)).await;
        let mut dialled = dialled.map_err(|_| NotSentCause::TimedOut)??;
        let granted = ask(&mut dialled, permit).await?;
        if dialled.is_usable().await {
            Ok((dialled, granted))
        } else {
            Err(NotSentCause::Closed)
        }
    }
}

async fn ask(
    connection: &mut LiveConnection,
    permit: Option<&dyn SendPermit>,
) -> Result<Option<Granted>, NotSentCause> {
    match permit {
        Some(permit) => Ok(Some(connection.drive(permit.ask()).await?)),
        None => Ok(None),
    }
}

impl fmt::Debug for OutboundClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutboundClient")
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}
