//! HTTP/1.1 messages as bytes: a client library would mend what the kit has to send broken. It must
//! not read more than its limits, however much the other side writes.

use std::fmt::Write as _;
use std::io;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

/// Most bytes of one message that are read: twice what the protocol allows, so that a body that is
/// too large is seen to be.
const MESSAGE_BYTES_MAX: u64 = 192 * 1024;

/// Most header fields of one message.
const FIELDS_MAX: usize = 100;

/// A request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WireRequest {
    /// The method, in capitals.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Header fields in their order; `Content-Length` is written besides.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WireAnswer {
    /// The status, such as 200.
    pub status: u16,
    /// Header fields in their order.
    pub headers: Vec<(String, String)>,
    /// The body, decoded where it came in chunks.
    pub body: Vec<u8>,
}

/// The value of a field that is there once.
pub(crate) fn single<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut values = headers
        .iter()
        .filter(|(it, _)| it.eq_ignore_ascii_case(name));
    let (_, value) = values.next()?;
    values.next().is_none().then_some(value.as_str())
}

impl WireRequest {
    /// The value of a field that is there once.
    pub fn header(&self, name: &str) -> Option<&str> {
        single(&self.headers, name)
    }

    /// The head as bytes, its empty line included.
    pub(crate) fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        fields(&mut head, &self.headers, self.body.len());
        head
    }

    /// The whole request as bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        [self.head().as_bytes(), &self.body].concat()
    }

    /// Reads one request; `None` where the connection ended before it.
    pub(crate) async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<Option<Self>> {
        let mut reader = BufReader::new(stream.take(MESSAGE_BYTES_MAX));
        let Some((line, headers)) = read_head(&mut reader).await? else {
            return Ok(None);
        };
        let mut words = line.split(' ').map(str::to_owned);
        let (Some(method), Some(path)) = (words.next(), words.next()) else {
            return Err(malformed("the first line is no request"));
        };
        let length = single(&headers, "content-length").unwrap_or("0");
        let mut body = vec![0; size(length)?];
        reader.read_exact(&mut body).await?;
        Ok(Some(Self {
            method,
            path,
            headers,
            body,
        }))
    }
}

impl WireAnswer {
    /// An answer with these fields.
    pub fn new(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }

    /// The value of a field that is there once.
    pub fn header(&self, name: &str) -> Option<&str> {
        single(&self.headers, name)
    }

    /// The whole answer as bytes; the connection ends with it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Answer\r\n", self.status);
        let framing = ["content-length", "transfer-encoding", "connection"];
        let kept =
            |(name, _): &&(String, String)| !framing.contains(&name.to_ascii_lowercase().as_str());
        let mut headers: Vec<_> = self.headers.iter().filter(kept).cloned().collect();
        headers.push(("Connection".to_owned(), "close".to_owned()));
        fields(&mut head, &headers, self.body.len());
        [head.as_bytes(), &self.body].concat()
    }

    /// Reads one answer.
    pub(crate) async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<Self> {
        let mut reader = BufReader::new(stream.take(MESSAGE_BYTES_MAX));
        let Some((line, headers)) = read_head(&mut reader).await? else {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the connection ended without an answer",
            ));
        };
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| malformed("the first line is no status"))?;
        let chunked = single(&headers, "transfer-encoding");
        let mut body = Vec::new();
        if matches!(status, 204 | 304) {
            // These have no body, whatever their head says (RFC 9112 §6.3).
        } else if chunked.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            read_chunks(&mut reader, &mut body).await?;
        } else if let Some(length) = single(&headers, "content-length") {
            body = vec![0; size(length)?];
            reader.read_exact(&mut body).await?;
        } else {
            reader.read_to_end(&mut body).await?;
        }
        Ok(Self {
            status,
            headers,
            body,
        })
    }
}

fn fields(head: &mut String, headers: &[(String, String)], length: usize) {
    for (name, value) in headers {
        // Writing into a text does not fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let _ = write!(head, "Content-Length: {length}\r\n\r\n");
}

type Head = (String, Vec<(String, String)>);

async fn read_head<R: AsyncBufRead + Unpin>(reader: &mut R) -> io::Result<Option<Head>> {
    let Some(first) = read_line(reader).await? else {
        return Ok(None);
    };
    let mut headers = Vec::new();
    while let Some(line) = read_line(reader).await? {
        if line.is_empty() {
            return Ok(Some((first, headers)));
        }
        let field = line.split_once(':');
        let (name, value) = field.ok_or_else(|| malformed("a header field has no colon"))?;
        headers.push((name.to_owned(), value.trim().to_owned()));
        if headers.len() > FIELDS_MAX {
            return Err(malformed("there are too many header fields"));
        }
    }
    Err(malformed("the head ends early"))
}

async fn read_line<R: AsyncBufRead + Unpin>(reader: &mut R) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if reader.read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&line);
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

async fn read_chunks<R: AsyncBufRead + Unpin>(
    reader: &mut R,
    body: &mut Vec<u8>,
) -> io::Result<()> {
    loop {
        let line = read_line(reader).await?.unwrap_or_default();
        let length = line.split(';').next().unwrap_or_default().trim();
        let length = u64::from_str_radix(length, 16);
        let length = length.map_err(|_| malformed("a chunk has no length"))?;
        if length == 0 {
            // What follows are trailers, if anything.
            while read_line(reader)
                .await?
                .is_some_and(|line| !line.is_empty())
            {}
            return Ok(());
        }
        let before = body.len() as u64;
        reader.take(length).read_to_end(body).await?;
        if (body.len() as u64).saturating_sub(before) < length {
            return Err(malformed("a chunk ends early"));
        }
        read_line(reader).await?;
    }
}

fn size(text: &str) -> io::Result<usize> {
    let size = text.trim().parse::<u64>().ok();
    let size = size.filter(|size| *size <= MESSAGE_BYTES_MAX);
    let size = size.ok_or_else(|| malformed("the length of the body is none, or too large"))?;
    usize::try_from(size).map_err(|_| malformed("the length of the body is too large"))
}

fn malformed(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &str) -> io::Result<WireAnswer> {
        WireAnswer::read(&mut text.as_bytes()).await
    }

    #[tokio::test]
    async fn an_answer_is_read_by_length_by_chunks_and_to_its_end() {
        for text in [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nA: b\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n\
             1\r\nb\r\n3;x=y\r\nody\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody",
        ] {
            let answer = read(text).await.unwrap();
            assert_eq!((answer.status, answer.body.as_slice()), (200, &b"body"[..]));
            assert_eq!(answer.header("a"), Some("b"));
        }
    }

    #[tokio::test]
    async fn what_is_cut_off_is_no_answer() {
        for text in [
            "",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody",
            "HTTP/1.1 200 OK\r\nA: b\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbody",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nbody",
            "nonsense\r\n\r\n",
        ] {
            assert!(read(text).await.is_err(), "{text:?}");
        }
    }

    #[tokio::test]
    async fn a_request_is_read_as_it_was_written() {
        let request = WireRequest {
            method: "POST".to_owned(),
            path: "/v1/attempts".to_owned(),
            headers: vec![("Host".to_owned(), "a".to_owned())],
            body: b"{}".to_vec(),
        };
        let bytes = request.bytes();
        let mut read = WireRequest::read(&mut bytes.as_slice())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(read.headers.pop().unwrap().0, "Content-Length");
        assert_eq!(read, request);
    }
}
