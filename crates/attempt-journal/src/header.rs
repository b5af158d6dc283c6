//! The first frame of a segment: whose it is, and what its entries are sealed with. A segment must
//! belong to one process on one boot of the machine.

use crate::codec::{Decoder, Encoder};
use crate::frame;
use domain::time::Timestamp;

const MAGIC: [u8; 8] = *b"MANJRNL\n";

/// The version written today.
const VERSION: u16 = 1;

/// Longest text that names a boot; the kernel's has 36 characters.
pub(crate) const BOOT_LENGTH_MAX: usize = 64;

/// Longest header in bytes, its frame included.
pub(crate) const BYTES_MAX: usize = 256;

/// Random bytes of a journal's identity and of a segment's salt.
pub(crate) const RANDOM_BYTES: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) journal: [u8; RANDOM_BYTES],
    pub(crate) segment: u32,
    /// The number of its first entry.
    pub(crate) first_entry: u64,
    /// The generation of the key its entries are sealed with.
    pub(crate) generation: u32,
    /// What makes its key differ from that of every other segment.
    pub(crate) salt: [u8; RANDOM_BYTES],
    /// The segment before it that was in use; 0 for none.
    pub(crate) previous_segment: u32,
    /// How many bytes of that segment are durable.
    pub(crate) previous_durable: u64,
    pub(crate) made_at: Timestamp,
    /// The boot of the machine it was written on.
    pub(crate) boot: String,
}

impl Header {
    /// The content of its frame. The key of the entries is derived from all of it.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder
            .bytes(&MAGIC)
            .u16(VERSION)
            .bytes(&self.journal)
            .u32(self.segment)
            .u64(self.first_entry)
            .u32(self.generation)
            .bytes(&self.salt)
            .u32(self.previous_segment)
            .u64(self.previous_durable)
            .i64(self.made_at.as_millis())
            .text(&self.boot);
        encoder.0
    }

    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let mut decoder = Decoder(content);
        let magic: [u8; 8] = decoder.array()?;
        if magic != MAGIC || decoder.u16()? != VERSION {
            return None;
        }
        let header = Self {
            journal: decoder.array()?,
            segment: decoder.u32()?,
            first_entry: decoder.u64()?,
            generation: decoder.u32()?,
            salt: decoder.array()?,
            previous_segment: decoder.u32()?,
            previous_durable: decoder.u64()?,
            made_at: Timestamp::from_millis(decoder.i64()?),
            boot: decoder.text()?.to_owned(),
        };
        decoder.0.is_empty().then_some(header)
    }

    /// The header that the bytes of a segment begin with, and its content.
    pub(crate) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let content = frame::read(bytes)?;
        Some((Self::decode(content)?, content))
    }
}
