//! A server of HTTP/1.1 on this machine, over which a test plays a provider. It must not know any
//! provider: what is answered is the test's.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Most bytes of a head or a body that is read: far more than any test sends.
const BYTES_MAX: u64 = 1024 * 1024;

/// What every answer is dated: some clients refuse one without a date.
const DATE: &str = "Thu, 15 Jan 2026 09:00:00 GMT";

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct ServedRequest {
    /// The method, in capitals.
    pub method: String,
    /// The path without its query, with what was escaped in it as it was meant.
    pub path: String,
    /// The query, as pairs with what was escaped in them as it was meant.
    pub query: Vec<(String, String)>,
    /// The headers; names are in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl ServedRequest {
    /// The first header of a name.
    pub fn header(&self, name: &str) -> Option<&str> {
        first(&self.headers, name)
    }

    /// The first value of the query under a name.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        first(&self.query, name)
    }
}

/// What a request is answered.
#[derive(Debug, Clone)]
pub enum ServedAnswer {
    /// A body with a status.
    Json(u16, String),
    /// A page, as proxies answer.
    Page(u16, String),
    /// The connection ends without an answer.
    Broken,
}

/// The server. It ends when it is dropped.
#[derive(Debug)]
pub struct TestHttpServer {
    /// Where it listens on this machine.
    pub port: u16,
    _tasks: JoinSet<()>,
}

impl TestHttpServer {
    /// Serves on a free port.
    pub async fn start(
        answer: impl Fn(ServedRequest) -> ServedAnswer + Send + Sync + 'static,
    ) -> Self {
        Self::at(0, answer).await
    }

    /// Serves on a port.
    pub async fn at(
        port: u16,
        answer: impl Fn(ServedRequest) -> ServedAnswer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .unwrap();
        let port = listener.local_addr().unwrap().port();
        let answer = Arc::new(answer);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let answer = Arc::clone(&answer);
                open.spawn(async move {
                    // A client may go at any time.
                    let _ = serve(stream, &*answer).await;
                });
            }
        });
        Self {
            port,
            _tasks: tasks,
        }
    }
}

async fn serve(
    stream: TcpStream,
    answer: &(impl Fn(ServedRequest) -> ServedAnswer + Sync),
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await? {
        let (status, kind, body) = match answer(request) {
            ServedAnswer::Json(status, body) => (status, "application/json", body),
            ServedAnswer::Page(status, body) => (status, "text/html", body),
            ServedAnswer::Broken => return Ok(()),
        };
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} Status\r\nDate: {DATE}\r\nContent-Type: {kind}\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await?;
        stream.flush().await?;
    }
    Ok(())
}

/// The next request; `None` where the client is done.
async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<ServedRequest>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        let bytes = (&mut *stream).take(BYTES_MAX).read_line(&mut line).await?;
        if bytes == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut lines = lines.into_iter();
    let request = lines.next().unwrap_or_default();
    let mut words = request.split(' ');
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect();
    let length = first(&headers, "content-length").and_then(|text| text.parse().ok());
    let length: u64 = length.unwrap_or_default();
    let mut body = Vec::new();
    (&mut *stream)
        .take(length.min(BYTES_MAX))
        .read_to_end(&mut body)
        .await?;
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (unescaped(name), unescaped(&value.replace('+', " ")))
    });
    Ok(Some(ServedRequest {
        method,
        path: unescaped(path),
        query: pairs.collect(),
        headers,
        body,
    }))
}

fn first<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = pairs.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// What percent signs stand for (RFC 3986, section 2.1).
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        let pair = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let escaped = pair.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let (b'%', Some(escaped)) = (byte, escaped) {
            bytes.push(escaped);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(*byte);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_is_read_as_it_was_meant() {
        for (text, meant) in [
            ("a%20b", "a b"),
            ("%2Fx%2f", "/x/"),
            ("100%", "100%"),
            ("", ""),
        ] {
            assert_eq!(unescaped(text), meant, "{text}");
        }
    }
}
