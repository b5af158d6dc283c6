//! A relay between a gateway and a provider, on this machine: it takes requests apart and signs
//! them anew, so that what arrives can be broken in one thing alone. It must not change anything
//! that its handler does not ask for.

use crate::signing::{KitKeys, Signing};
use crate::upstream::{RequestSending, Upstream};
use crate::wire_message::{WireAnswer, WireRequest};
use async_trait::async_trait;
use ports::clock::Clock;
use provider_protocol::signature::{AnswerBinding, AnswerParts, SignatureKeys, sign_answer};
use provider_protocol::{MEDIA_TYPE, PATH_PREFIX, VERSION, VERSION_HEADER};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// How long the provider may take to answer a relayed request.
const RELAYED_MAX: Duration = Duration::from_mins(1);

/// Between two pieces of an answer that is sent slowly.
const DRIP_PAUSE: Duration = Duration::from_millis(250);

/// What goes back to the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelayAnswer {
    /// An answer, as it is.
    Answer(WireAnswer),
    /// An answer without its last bytes, so many, then the end of the connection.
    Cut(WireAnswer, usize),
    /// An answer in pieces of a byte, so slowly that its reader gives up.
    Slow(WireAnswer),
    /// The end of the connection.
    Nothing,
}

/// What a relay does with a request.
#[async_trait]
pub trait RelayHandler: Send + Sync + 'static {
    /// Answers one request.
    async fn handle(&self, request: WireRequest, signer: &RelaySigner) -> RelayAnswer;
}

/// Signs for both sides of a relay.
#[derive(Debug)]
pub struct RelaySigner {
    keys: KitKeys,
    other: SignatureKeys,
    upstream: Upstream,
    clock: Arc<dyn Clock>,
    run: String,
    counter: AtomicU64,
}

/// A relay that listens until it is dropped.
#[derive(Debug)]
pub struct SignedRelay {
    url: String,
    stop: DropGuard,
    listening: TaskTracker,
}

impl RelaySigner {
    /// A signer for a provider on this machine, by the text of a file of keys.
    pub fn to_loopback(url: &str, keys: &str, clock: Arc<dyn Clock>) -> Option<Self> {
        let upstream = Upstream::parse(url, Vec::new()).ok()?;
        let shared = SignatureKeys::parse(keys).ok()?;
        let id = keys.split_whitespace().next()?;
        Self::new(
            KitKeys::new(shared, id)?,
            (upstream, clock),
            "relay".to_owned(),
        )
    }

    pub(crate) fn new(
        keys: KitKeys,
        (upstream, clock): (Upstream, Arc<dyn Clock>),
        run: String,
    ) -> Option<Self> {
        let other = format!("other {}", crate::signing::OTHER_SECRET);
        Some(Self {
            other: SignatureKeys::parse(&other).ok()?,
            keys,
            upstream,
            clock,
            run,
            counter: AtomicU64::new(0),
        })
    }

    fn seconds(&self) -> i64 {
        self.clock.now().as_millis().div_euclid(1_000)
    }

    /// Sends a request to the provider with a signature of its own; `None` where no answer came.
    pub async fn forward(&self, request: &WireRequest) -> Option<WireAnswer> {
        let path = request.path.strip_prefix(PATH_PREFIX)?;
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let nonce = format!("{}-relay-{number}", self.run);
        let call = (request.method.as_str(), path, request.body.as_slice());
        let signed = (Signing::RIGHT, self.seconds(), nonce.as_str());
        let signed = self.keys.request(&self.upstream, call, signed);
        let sending = (RequestSending::Whole, RELAYED_MAX);
        self.upstream.exchange(&signed.wire, sending).await.ok()
    }

    /// Sends a request to the provider byte for byte; only one that was signed for the address of
    /// the relay, on a provider that takes it from `Host`, is accepted there.
    pub async fn forward_untouched(&self, request: &WireRequest) -> Option<WireAnswer> {
        let mut request = request.clone();
        let framing = |name: &str| {
            name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("connection")
        };
        request.headers.retain(|(name, _)| !framing(name));
        let close = ("Connection".to_owned(), "close".to_owned());
        request.headers.push(close);
        let sending = (RequestSending::Whole, RELAYED_MAX);
        self.upstream.exchange(&request, sending).await.ok()
    }

    /// An answer to a request that reached the relay, signed for it.
    pub fn signed(&self, (status, body): (u16, Vec<u8>), request: &WireRequest) -> WireAnswer {
        let signature = request.header("signature").unwrap_or_default();
        self.signed_by(
            (self.keys.shared(), 0),
            (status, body),
            (request, signature),
        )
    }

    /// The same, so many seconds away from now.
    pub(crate) fn signed_at(
        &self,
        skew: i64,
        answer: (u16, Vec<u8>),
        request: &WireRequest,
    ) -> WireAnswer {
        let signature = request.header("signature").unwrap_or_default();
        self.signed_by((self.keys.shared(), skew), answer, (request, signature))
    }

    /// The same, by a key that the gateway does not have.
    pub(crate) fn signed_by_other(
        &self,
        answer: (u16, Vec<u8>),
        request: &WireRequest,
    ) -> WireAnswer {
        let signature = request.header("signature").unwrap_or_default();
        self.signed_by((&self.other, 0), answer, (request, signature))
    }

    /// An answer that is signed for another request than the one it answers.
    pub fn crossed(&self, answer: (u16, Vec<u8>), request: &WireRequest) -> WireAnswer {
        let signature = "manilla=:b3RoZXI=:";
        self.signed_by((self.keys.shared(), 0), answer, (request, signature))
    }

    fn signed_by(
        &self,
        (keys, skew): (&SignatureKeys, i64),
        (status, body): (u16, Vec<u8>),
        (request, signature): (&WireRequest, &str),
    ) -> WireAnswer {
        let host = request.header("host").unwrap_or_default();
        let parts = AnswerParts {
            status,
            body: &body,
        };
        let binding = AnswerBinding {
            method: &request.method,
            target_uri: &format!("http://{host}{}", request.path),
            signature,
        };
        let created = self.seconds().saturating_add(skew);
        let fields = sign_answer(keys, (parts, binding), created);
        let headers = [
            ("Content-Type", MEDIA_TYPE.to_owned()),
            (VERSION_HEADER, VERSION.to_owned()),
            ("Content-Digest", fields.content_digest),
            ("Signature-Input", fields.signature_input),
            ("Signature", fields.signature),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value));
        WireAnswer::new(status, headers.to_vec(), body)
    }
}

impl SignedRelay {
    /// Listens on this machine.
    pub async fn start(signer: RelaySigner, handler: impl RelayHandler) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let shared = Arc::new((signer, handler));
        let listening = TaskTracker::new();
        listening.spawn(async move {
            let connections = TaskTracker::new();
            let accepting = async {
                while let Ok((stream, _)) = listener.accept().await {
                    let shared = Arc::clone(&shared);
                    connections.spawn(async move {
                        // Where the gateway has gone there is nothing to say.
                        let _ = serve(stream, &shared.0, &shared.1).await;
                    });
                }
            };
            tokio::select! {
                () = accepting => {}
                () = stopped.cancelled() => {}
            }
        });
        Ok(Self {
            url,
            stop: stop.drop_guard(),
            listening,
        })
    }

    /// Ends it, and returns when nothing listens any more.
    pub(crate) async fn closed(self) {
        drop(self.stop);
        self.listening.close();
        self.listening.wait().await;
    }

    /// Its base address.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Answers one request; the connection ends with it.
async fn serve(
    mut stream: TcpStream,
    signer: &RelaySigner,
    handler: &impl RelayHandler,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let Some(request) = WireRequest::read(&mut stream).await? else {
        return Ok(());
    };
    match handler.handle(request, signer).await {
        RelayAnswer::Answer(answer) => stream.write_all(&answer.bytes()).await?,
        RelayAnswer::Cut(answer, length) => {
            let bytes = answer.bytes();
            let sent = bytes.len().saturating_sub(length);
            stream
                .write_all(bytes.get(..sent).unwrap_or_default())
                .await?;
        }
        RelayAnswer::Slow(answer) => {
            for byte in answer.bytes() {
                stream.write_all(&[byte]).await?;
                tokio::time::sleep(DRIP_PAUSE).await;
            }
        }
        RelayAnswer::Nothing => {}
    }
    stream.shutdown().await
}
