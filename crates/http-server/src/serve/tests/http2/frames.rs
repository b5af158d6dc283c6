//! A client that writes frames (RFC 9113 §4.1), which may be any. It must not keep to the protocol
//! by itself.

use super::super::support::Running;
use crate::testing::authorization;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const RESET: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PING: u8 = 6;
pub(super) const GOAWAY: u8 = 7;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

pub(super) const END_STREAM: u8 = 1;
pub(super) const ACK: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;

/// The setting of the window that each stream begins with.
pub(super) const INITIAL_WINDOW: u16 = 4;

pub(super) const REFUSED_STREAM: u32 = 7;
pub(super) const CANCEL: u32 = 8;
pub(super) const ENHANCE_YOUR_CALM: u32 = 11;

/// A connection on which frames are read and written.
pub(super) struct Frames {
    pub(super) reader: FrameReader,
    pub(super) writer: FrameWriter,
}

pub(super) struct FrameReader(ReadHalf<TlsStream<TcpStream>>);

pub(super) struct FrameWriter(WriteHalf<TlsStream<TcpStream>>);

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
    pub(super) payload: Vec<u8>,
}

pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()];
    [&head.concat(), payload].concat()
}

/// A header field without compression (RFC 7541 §6.2.2).
pub(super) fn field(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| {
        let length = u8::try_from(text.len()).unwrap();
        assert!(length < 127, "a longer one has another form");
        [&[length], text.as_bytes()].concat()
    };
    [vec![0], text(name), text(value)].concat()
}

/// The fields of a request of an account.
pub(super) fn head(method: &str, path: &str) -> Vec<u8> {
    let authorization = authorization("shop");
    let fields = [
        (":method", method),
        (":scheme", "https"),
        (":path", path),
        (":authority", "localhost"),
        ("authorization", &authorization),
        ("content-type", "application/json"),
    ];
    fields
        .iter()
        .flat_map(|(name, value)| field(name, value))
        .collect()
}

/// A request of a stranger, whose answer waits for the body that does not come.
pub(super) fn bodiless(stream: u32) -> Vec<u8> {
    let fields = [
        (":method", "POST"),
        (":scheme", "https"),
        (":path", "/payment/airtime"),
        (":authority", "localhost"),
    ];
    let fields = fields.iter();
    let head: Vec<_> = fields
        .flat_map(|(name, value)| field(name, value))
        .collect();
    frame(HEADERS, END_HEADERS, stream, &head)
}

/// A request that has no body.
pub(super) fn get(stream: u32, path: &str) -> Vec<u8> {
    let flags = END_HEADERS | END_STREAM;
    frame(HEADERS, flags, stream, &head("GET", path))
}

pub(super) fn reset(stream: u32) -> Vec<u8> {
    frame(RESET, 0, stream, &CANCEL.to_be_bytes())
}

pub(super) fn window(stream: u32, bytes: u32) -> Vec<u8> {
    frame(WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes())
}

impl Running {
    /// A connection that has sent its preface and settings.
    pub(super) async fn frames(&self, settings: &[(u16, u32)]) -> Frames {
        let stream = self.tls_for(&["h2"]).await;
        let (reader, writer) = tokio::io::split(stream);
        let mut frames = Frames {
            reader: FrameReader(reader),
            writer: FrameWriter(writer),
        };
        let settings = settings
            .iter()
            .flat_map(|(name, value)| [&name.to_be_bytes()[..], &value.to_be_bytes()].concat());
        let settings: Vec<_> = settings.collect();
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        let first = [preface, frame(SETTINGS, 0, 0, &settings)].concat();
        assert!(frames.writer.write(&first).await);
        frames
    }
}

impl FrameWriter {
    /// Writes bytes; returns whether the server still takes them.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).await.is_ok() && self.0.flush().await.is_ok()
    }
}

impl FrameReader {
    /// The next frame; `None` once the server has closed the connection.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        let read = async {
            let mut head = [0; 9];
            self.0.read_exact(&mut head).await.ok()?;
            let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8;
            let mut payload = vec![0; length | usize::from(head[2])];
            self.0.read_exact(&mut payload).await.ok()?;
            Some(Frame {
                kind: head[3],
                flags: head[4],
                stream: u32::from_be_bytes([head[5], head[6], head[7], head[8]]),
                payload,
            })
        };
        let limit = Duration::from_secs(10);
        let read = tokio::time::timeout(limit, read).await;
        read.expect("neither a frame nor an end")
    }

    /// Reads until a frame that is looked for, and returns it.
    pub(super) async fn until(&mut self, wanted: impl Fn(&Frame) -> bool) -> Option<Frame> {
        loop {
            let frame = self.next().await?;
            if wanted(&frame) {
                return Some(frame);
            }
        }
    }

    /// The reason for which the server ends the connection; `None` where it gives none.
    pub(super) async fn ended(&mut self) -> Option<u32> {
        let mut reason = None;
        while let Some(frame) = self.next().await {
            if frame.kind == GOAWAY {
                reason = Some(frame.code(4));
            }
        }
        reason
    }
}

impl Frame {
    /// The error code at an offset of the payload.
    pub(super) fn code(&self, at: usize) -> u32 {
        u32::from_be_bytes(self.payload[at..at + 4].try_into().unwrap())
    }

    pub(super) fn is_reset(&self, stream: u32, code: u32) -> bool {
        (self.kind, self.stream) == (RESET, stream) && self.code(0) == code
    }

    /// Whether it is the head of an answer with 200 (RFC 7541, appendix A).
    pub(super) fn is_ok(&self, stream: u32) -> bool {
        (self.kind, self.stream) == (HEADERS, stream) && self.payload.first() == Some(&0x88)
    }
}
