//! A proxy of HTTP/1.1 between an adapter and the server that plays its provider: it loses or
//! falsifies the answers to writes, and passes everything else on byte for byte. It must not know
//! any provider: which request writes is the test's to say.

use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Most bytes of a head or a body that are read: far more than any test sends.
const BYTES_MAX: u64 = 1024 * 1024;

/// Longer than any deadline of a test.
const HELD: Duration = Duration::from_mins(1);

/// What goes back instead of the answer to a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFault {
    /// The end of the connection.
    Cut,
    /// Nothing, until the adapter gives up.
    Held,
    /// The answer without its last bytes, then the end of the connection.
    Half,
    /// A page with status 200 that says `declined`, as a captive portal would.
    Page,
    /// A text with status 200 that says `DECLINED`.
    Text,
    /// Status 200 without a body.
    Empty,
    /// Status 204.
    NoContent,
    /// A redirect.
    Redirect,
    /// Status 502 with a document that says `failed`, as a gateway in between would.
    BadGateway,
    /// Status 503 with a document that says `declined`.
    Unavailable,
}

impl AnswerFault {
    /// Every fault.
    pub const ALL: [Self; 10] = [
        Self::Cut,
        Self::Held,
        Self::Half,
        Self::Page,
        Self::Text,
        Self::Empty,
        Self::NoContent,
        Self::Redirect,
        Self::BadGateway,
        Self::Unavailable,
    ];

    /// The bytes that go back; `None` where the connection ends.
    fn bytes(self, answer: &[u8]) -> Option<Vec<u8>> {
        let said = |head: &str, kind: &str, body: &str| {
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {head}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
            );
            Some(format!("{head}{body}").into_bytes())
        };
        let failed = r#"{"status":"failed","state":"declined","message":"declined"}"#;
        match self {
            Self::Cut | Self::Held => None,
            Self::Half => answer.get(..answer.len().saturating_sub(5)).map(Vec::from),
            Self::Page => said("200 OK", "text/html", "<html><body>declined</body></html>"),
            Self::Text => said("200 OK", "text/plain", "DECLINED"),
            Self::Empty => said("200 OK", "application/json", ""),
            Self::NoContent => Some(b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()),
            Self::Redirect => Some(
                b"HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"
                    .to_vec(),
            ),
            Self::BadGateway => said("502 Bad Gateway", "application/json", failed),
            Self::Unavailable => said("503 Unavailable", "application/json", failed),
        }
    }
}

/// Where a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WirePlace {
    /// The request never reaches the provider.
    BeforeProvider,
    /// The provider has acted, and its answer is lost.
    AfterProvider,
}

/// What a proxy does with the next writes.
#[derive(Debug, Clone, Default)]
enum ProxyOrder {
    #[default]
    PassOn,
    Break(AnswerFault, WirePlace),
    /// Each of these texts of the answer becomes another one.
    Falsify(Vec<(String, String)>),
}

#[derive(Debug, Default)]
struct ProxyState {
    order: ProxyOrder,
    writes: usize,
    falsified: usize,
}

/// The proxy. It ends when it is dropped.
#[derive(Debug)]
pub struct WireProxy {
    /// Where it listens on this machine.
    pub port: u16,
    state: Arc<Mutex<ProxyState>>,
    _tasks: JoinSet<()>,
}

/// The server behind a proxy, and which of its requests write: the method and the target as sent.
#[derive(Debug, Clone, Copy)]
pub struct ProxiedServer {
    /// Its port on this machine.
    pub port: u16,
    /// Whether a request is the one that makes the provider act.
    pub writes: fn(&str, &str) -> bool,
}

impl WireProxy {
    /// Listens on a free port in front of a server.
    pub async fn start(server: ProxiedServer) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<Mutex<ProxyState>>::default();
        let shared = Arc::clone(&state);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                open.spawn(async move {
                    // Either side may go at any time.
                    let _ = converse(stream, server, &shared).await;
                });
            }
        });
        Self {
            port,
            state,
            _tasks: tasks,
        }
    }

    /// Breaks the answers to writes from now on.
    pub fn breaks(&self, fault: AnswerFault, place: WirePlace) {
        lock(&self.state).order = ProxyOrder::Break(fault, place);
    }

    /// Writes texts otherwise in the answers to writes from now on.
    pub fn falsifies(&self, texts: &[(String, String)]) {
        lock(&self.state).order = ProxyOrder::Falsify(texts.to_vec());
    }

    /// How many writes came.
    pub fn writes(&self) -> usize {
        lock(&self.state).writes
    }

    /// How many answers had the text that was to be written otherwise.
    pub fn falsified(&self) -> usize {
        lock(&self.state).falsified
    }
}

fn lock(state: &Mutex<ProxyState>) -> MutexGuard<'_, ProxyState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A message as bytes: its first line, its head with that line, and its body.
struct RawMessage {
    line: String,
    head: String,
    body: Vec<u8>,
}

impl RawMessage {
    fn bytes(&self) -> Vec<u8> {
        [self.head.as_bytes(), &self.body].concat()
    }

    /// The same with another body.
    fn with_body(&self, body: Vec<u8>) -> Vec<u8> {
        let of_length = |line: &&str| !line.to_ascii_lowercase().starts_with("content-length:");
        let lines: Vec<&str> = self.head.trim_end().lines().filter(of_length).collect();
        let head = format!(
            "{}\r\nContent-Length: {}\r\n\r\n",
            lines.join("\r\n"),
            body.len()
        );
        [head.into_bytes(), body].concat()
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<RawMessage>> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if (&mut *stream).take(BYTES_MAX).read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        head.push_str(&line);
        if line.trim_end().is_empty() {
            break;
        }
        let field = line.split_once(':');
        if let Some((name, value)) = field
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = Vec::new();
    let length = BYTES_MAX.min(length);
    (&mut *stream).take(length).read_to_end(&mut body).await?;
    let line = head.lines().next().unwrap_or_default().to_owned();
    Ok(Some(RawMessage { line, head, body }))
}

async fn converse(
    stream: TcpStream,
    server: ProxiedServer,
    state: &Mutex<ProxyState>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await? {
        let mut words = request.line.split(' ');
        let (method, target) = (words.next(), words.next());
        let writes = (server.writes)(method.unwrap_or_default(), target.unwrap_or_default());
        let order = order(state, writes);
        let arrives = !matches!(order, ProxyOrder::Break(_, WirePlace::BeforeProvider));
        let answer = if arrives {
            pass_on(&request, server.port).await?
        } else {
            None
        };
        let bytes = match (order, answer) {
            (ProxyOrder::Break(AnswerFault::Held, _), _) => {
                tokio::time::sleep(HELD).await;
                return Ok(());
            }
            (ProxyOrder::Break(fault, _), answer) => {
                let whole = answer.map(|it| it.bytes());
                let made = || b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ndeclined!".to_vec();
                let bytes = fault.bytes(&whole.unwrap_or_else(made));
                if let Some(bytes) = bytes {
                    stream.write_all(&bytes).await?;
                }
                return stream.shutdown().await;
            }
            (_, None) => return Ok(()),
            (ProxyOrder::PassOn, Some(answer)) => answer.bytes(),
            (ProxyOrder::Falsify(texts), Some(answer)) => {
                let text = String::from_utf8_lossy(&answer.body);
                let falsified = texts
                    .iter()
                    .fold(text.to_string(), |text, (from, to)| text.replace(from, to));
                if falsified != text {
                    lock(state).falsified += 1;
                }
                answer.with_body(falsified.into_bytes())
            }
        };
        stream.write_all(&bytes).await?;
        stream.flush().await?;
    }
    Ok(())
}

/// What becomes of a request.
fn order(state: &Mutex<ProxyState>, writes: bool) -> ProxyOrder {
    let mut state = lock(state);
    if !writes {
        return ProxyOrder::PassOn;
    }
    state.writes += 1;
    state.order.clone()
}

async fn pass_on(request: &RawMessage, port: u16) -> io::Result<Option<RawMessage>> {
    let mut stream = BufReader::new(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?);
    stream.write_all(&request.bytes()).await?;
    read(&mut stream).await
}
