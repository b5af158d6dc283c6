//! A scripted receiver on this machine, well-behaved or not. It must count what reaches it: the
//! tests often prove that nothing did.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::server::TlsStream;

use crate::world::SeenRequest;

/// How fast a slow receiver is.
const DRIP: Duration = Duration::from_millis(20);

/// What a receiver does.
#[derive(Debug, Clone)]
pub(crate) enum ReceiverScript {
    /// Answers every request with these bytes.
    Answers(Vec<u8>),
    /// The same without TLS.
    AnswersPlainly(Vec<u8>),
    /// Answers, and says a byte now and then after that.
    AnswersAndDrips(Vec<u8>),
    /// Answers, and goes on with these bytes for ever.
    AnswersAndRepeats(Vec<u8>, Vec<u8>),
    /// Answers and hangs up at once.
    AnswersAndBreaksOff(Vec<u8>),
    /// Takes the connection and nothing else.
    NeverReads,
    /// Takes the request and says nothing.
    NeverAnswers,
}

/// A receiver.
pub(crate) struct ScriptedReceiver {
    pub(crate) address: SocketAddr,
    counts: Arc<Counts>,
    /// It ends with the test.
    _tasks: JoinSet<()>,
}

#[derive(Debug, Default)]
struct Counts {
    connections: AtomicUsize,
    sent: AtomicU64,
    ended: Notify,
    requests: Mutex<Vec<String>>,
}

impl ScriptedReceiver {
    /// One at an address of this machine.
    pub(crate) async fn at(ip: Ipv4Addr, does: ReceiverScript, shown: &SeenRequest) -> Self {
        let listener = TcpListener::bind((ip, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let counts = Arc::<Counts>::default();
        let acceptor = acceptor(shown);
        let mut tasks = JoinSet::new();
        let counted = counts.clone();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.connections.fetch_add(1, Ordering::SeqCst);
                let (acceptor, does) = (acceptor.clone(), does.clone());
                let counted = counted.clone();
                open.spawn(async move {
                    serve(stream, acceptor, does, counted.clone()).await;
                    counted.ended.notify_one();
                });
            }
        });
        Self {
            address,
            counts,
            _tasks: tasks,
        }
    }

    /// How many connections came.
    pub(crate) fn connections(&self) -> usize {
        self.counts.connections.load(Ordering::SeqCst)
    }

    /// How many bytes of bodies were read.
    pub(crate) fn sent(&self) -> u64 {
        self.counts.sent.load(Ordering::SeqCst)
    }

    /// Waits until a connection was hung up.
    pub(crate) async fn hung_up(&self) {
        self.counts.ended.notified().await;
    }

    /// The requests that came, whole.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.counts.requests.lock().unwrap().clone()
    }
}

fn acceptor(shown: &SeenRequest) -> TlsAcceptor {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(shown.chain.clone(), shown.key.clone_key())
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    does: ReceiverScript,
    counts: Arc<Counts>,
) {
    match &does {
        ReceiverScript::NeverReads => std::future::pending().await,
        ReceiverScript::AnswersPlainly(answer) => {
            let mut stream = stream;
            while request(&mut stream, &counts).await.is_some() {
                if stream.write_all(answer).await.is_err() {
                    return;
                }
            }
        }
        ReceiverScript::Answers(_)
        | ReceiverScript::AnswersAndDrips(_)
        | ReceiverScript::AnswersAndRepeats(..)
        | ReceiverScript::AnswersAndBreaksOff(_)
        | ReceiverScript::NeverAnswers => {
            // Who does not trust it hangs up here.
            if let Ok(stream) = acceptor.accept(stream).await {
                serve_encrypted(stream, &does, &counts).await;
            }
        }
    }
}

async fn serve_encrypted(mut stream: TlsStream<TcpStream>, does: &ReceiverScript, counts: &Counts) {
    while request(&mut stream, counts).await.is_some() {
        match does {
            ReceiverScript::Answers(answer) => {
                if stream.write_all(answer).await.is_err() {
                    return;
                }
            }
            ReceiverScript::AnswersAndDrips(answer) => {
                let mut answered = stream.write_all(answer).await;
                while answered.is_ok() {
                    sleep(DRIP).await;
                    answered = stream.write_all(b"a").await;
                }
                return;
            }
            ReceiverScript::AnswersAndRepeats(answer, more) => {
                let mut answered = stream.write_all(answer).await;
                while answered.is_ok() {
                    answered = stream.write_all(more).await;
                    counts.sent.fetch_add(more.len() as u64, Ordering::SeqCst);
                }
                return;
            }
            ReceiverScript::AnswersAndBreaksOff(answer) => {
                let _ = stream.write_all(answer).await;
                let _ = stream.flush().await;
                // A client that waits for more receives a reset.
                stream.get_ref().0.set_zero_linger().unwrap();
                return;
            }
            ReceiverScript::NeverAnswers
            | ReceiverScript::NeverReads
            | ReceiverScript::AnswersPlainly(_) => {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// Takes one request, unless the connection ends before it does.
async fn request(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    counts: &Counts,
) -> Option<()> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.parse::<usize>().unwrap())
            });
            if body.len() >= length.unwrap_or(0) {
                counts.requests.lock().unwrap().push(text);
                return Some(());
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
