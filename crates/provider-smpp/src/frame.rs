//! PDUs on a byte stream. A PDU must never be read by anything but the length it names, and one
//! whose body cannot be read still has a header that can be answered.

use bytes::{Buf as _, BytesMut};
use rusmpp_core::command::owned::Command;
use rusmpp_core::decode::owned::DecodeWithLength;
use rusmpp_core::encode::Length as _;
use rusmpp_core::encode::owned::Encode as _;
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// The header: length, command, status and sequence number.
const HEADER: usize = 16;

/// Longest PDU that is read: more than `message_payload` makes of the longest message.
pub(crate) const PDU_MAX: usize = 64 * 1024;

/// One PDU as it came.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) id: u32,
    pub(crate) status: u32,
    pub(crate) sequence: u32,
    /// All of it but the length.
    rest: BytesMut,
}

/// Why nothing more can be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FrameError {
    #[error("the connection broke")]
    Io(#[from] std::io::Error),
    #[error("a PDU names a length of {0}, which none has")]
    Length(usize),
    #[error("the connection ended within a PDU")]
    Cut,
}

impl Frame {
    /// The PDU with its body; `None` where that cannot be read.
    pub(crate) fn command(&self) -> Option<Command> {
        let mut rest = self.rest.clone();
        let length = rest.len();
        let (command, _) = Command::decode(&mut rest, length).ok()?;
        Some(command)
    }
}

/// Reads PDUs. What was read of one that is not complete stays, so a read may be given up.
#[derive(Debug)]
pub(crate) struct FrameReader<R> {
    stream: R,
    buffer: BytesMut,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    pub(crate) fn new(stream: R) -> Self {
        Self {
            stream,
            buffer: BytesMut::new(),
        }
    }

    /// The next PDU; `None` where the stream ended after the last one.
    pub(crate) async fn next(&mut self) -> Result<Option<Frame>, FrameError> {
        loop {
            if let Some(frame) = self.complete()? {
                return Ok(Some(frame));
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                let is_between = self.buffer.is_empty();
                return if is_between {
                    Ok(None)
                } else {
                    Err(FrameError::Cut)
                };
            }
        }
    }

    fn complete(&mut self) -> Result<Option<Frame>, FrameError> {
        let Some(length) = self.buffer.first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*length) as usize;
        if !(HEADER..=PDU_MAX).contains(&length) {
            return Err(FrameError::Length(length));
        }
        if self.buffer.len() < length {
            return Ok(None);
        }
        let mut rest = self.buffer.split_to(length);
        rest.advance(4);
        let mut header = rest.clone();
        Ok(Some(Frame {
            id: header.get_u32(),
            status: header.get_u32(),
            sequence: header.get_u32(),
            rest,
        }))
    }
}

/// The octets of a PDU.
pub(crate) fn encoded(command: &Command) -> BytesMut {
    let length = command.length().saturating_add(4);
    let mut octets = BytesMut::with_capacity(length);
    octets.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    command.encode(&mut octets);
    octets
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusmpp_core::CommandStatus;
    use rusmpp_core::pdus::owned::Pdu;

    fn link(sequence: u32) -> BytesMut {
        encoded(&Command::new(
            CommandStatus::EsmeRok,
            sequence,
            Pdu::EnquireLink,
        ))
    }

    #[tokio::test]
    async fn pdus_are_read_by_their_length_however_they_arrive() {
        let mut octets = link(7);
        assert_eq!(
            &octets[..],
            [0, 0, 0, 16, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 7]
        );
        octets.extend_from_slice(&link(8));
        let mut reader = FrameReader::new(stream_of(octets.to_vec(), 5));
        for sequence in [7, 8] {
            let frame = reader.next().await.unwrap().unwrap();
            assert_eq!((frame.id, frame.sequence), (0x15, sequence));
            assert_eq!(frame.command().unwrap().pdu(), Some(&Pdu::EnquireLink));
        }
        assert!(reader.next().await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_length_that_no_pdu_has_and_a_cut_end_the_session() {
        for length in [0_u32, 15, 64 * 1024 + 1, u32::MAX] {
            let mut octets = length.to_be_bytes().to_vec();
            octets.extend([0; 12]);
            let mut reader = FrameReader::new(stream_of(octets, 16));
            let refused = reader.next().await.unwrap_err();
            assert!(matches!(refused, FrameError::Length(_)), "{length}");
        }
        let cut = link(1)[..10].to_vec();
        let mut reader = FrameReader::new(stream_of(cut, 10));
        assert!(matches!(reader.next().await, Err(FrameError::Cut)));
    }

    /// A body that cannot be read leaves the header, so that it can be answered.
    #[tokio::test]
    async fn a_pdu_with_a_body_that_cannot_be_read_has_its_header() {
        let mut octets = vec![0, 0, 0, 18, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 9];
        octets.extend([0x41, 0x41]);
        let mut reader = FrameReader::new(stream_of(octets, 18));
        let frame = reader.next().await.unwrap().unwrap();
        assert_eq!((frame.id, frame.sequence), (5, 9));
        assert!(frame.command().is_none());
    }

    /// A stream that gives a few octets at a time.
    fn stream_of(octets: Vec<u8>, at_once: usize) -> impl AsyncRead + Unpin {
        let (mut near, far) = tokio::io::duplex(at_once);
        let tracker = tokio_util::task::TaskTracker::new();
        tracker.spawn(async move {
            use tokio::io::AsyncWriteExt as _;
            near.write_all(&octets).await.unwrap();
        });
        far
    }
}
