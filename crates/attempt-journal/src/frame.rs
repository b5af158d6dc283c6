//! The checked frame that everything in a segment is stored in, and what an entry's frame holds. A
//! frame whose checksum does not match must never be read.

use crate::codec::{Decoder, Encoder, long};
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::time::Timestamp;
use domain::transaction::AttemptNumber;
use ports::journal::{EntryId, JournalStanding, JournalledAttempt};

/// What every frame begins with: it is searched for behind a damaged one.
const MAGIC: [u8; 4] = *b"MJF1";

/// Magic, length and checksum.
const PREFIX_BYTES: usize = 12;

/// Longest content of a frame. A transaction takes a few kilobytes; the largest order many dozens.
pub(crate) const CONTENT_BYTES_MAX: usize = 1 << 20;

/// Puts content into a frame, behind what is in `out` already.
pub(crate) fn write(out: &mut Vec<u8>, content: &[u8]) {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    let mut frame = Encoder(std::mem::take(out));
    frame.bytes(&MAGIC).u32(length);
    frame.u32(checksum(length, content)).bytes(content);
    *out = frame.0;
}

/// How long the frame of a content is.
pub(crate) fn length(content: usize) -> u64 {
    long(PREFIX_BYTES.saturating_add(content))
}

/// The content of the frame that bytes begin with.
pub(crate) fn read(bytes: &[u8]) -> Option<&[u8]> {
    let mut decoder = Decoder(bytes);
    let magic: [u8; 4] = decoder.array()?;
    let length = decoder.u32()?;
    let stored = decoder.u32()?;
    let size = usize::try_from(length).ok()?;
    if magic != MAGIC || size > CONTENT_BYTES_MAX {
        return None;
    }
    let content = decoder.bytes(size)?;
    (checksum(length, content) == stored).then_some(content)
}

/// The contents of all frames in bytes, wherever they begin.
pub(crate) fn search(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = bytes.windows(MAGIC.len()).enumerate();
    let starts = starts.filter(|(_, window)| *window == MAGIC);
    starts.filter_map(|(at, _)| read(bytes.get(at..)?))
}

fn checksum(length: u32, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length.to_be_bytes());
    hasher.update(content);
    hasher.finalize()
}

/// What an entry shows without a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clear {
    pub(crate) entry: u64,
    /// How many bytes of the segment were durable before this entry was written: what is missing
    /// below is damage, and what is missing above may never have been acknowledged.
    pub(crate) durable: u64,
    pub(crate) about: FrameKind,
}

/// Which attempt an entry is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrameKind {
    pub(crate) attempt: AttemptNumber,
    pub(crate) started_at: Timestamp,
    pub(crate) account: AccountId,
    pub(crate) reference: MerchantReference,
    pub(crate) provider: ProviderId,
    pub(crate) provider_reference: ProviderReference,
}

impl Clear {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder.u64(self.entry).u64(self.durable);
        self.about.encode(&mut encoder);
        encoder.0
    }

    /// The clear part of an entry, its bytes, and the sealed rest.
    pub(crate) fn decode(content: &[u8]) -> Option<(Self, &[u8], &[u8])> {
        let mut decoder = Decoder(content);
        let entry = decoder.u64()?;
        let durable = decoder.u64()?;
        let about = FrameKind::decode(&mut decoder)?;
        let sealed = decoder.0;
        let clear = content.get(..content.len().checked_sub(sealed.len())?)?;
        let read = Self {
            entry,
            durable,
            about,
        };
        Some((read, clear, sealed))
    }
}

impl FrameKind {
    pub(crate) fn encode(&self, encoder: &mut Encoder) {
        encoder
            .u8(self.attempt.get())
            .i64(self.started_at.as_millis())
            .text(self.account.as_str())
            .text(self.reference.as_str())
            .text(self.provider.as_str())
            .text(self.provider_reference.as_str());
    }

    pub(crate) fn decode(decoder: &mut Decoder<'_>) -> Option<Self> {
        Some(Self {
            attempt: AttemptNumber::try_new(decoder.u8()?).ok()?,
            started_at: Timestamp::from_millis(decoder.i64()?),
            account: AccountId::parse(decoder.text()?).ok()?,
            reference: MerchantReference::parse(decoder.text()?).ok()?,
            provider: ProviderId::parse(decoder.text()?).ok()?,
            provider_reference: ProviderReference::from_echo(decoder.text()?),
        })
    }

    pub(crate) fn standing(&self, entry: u64, standing: JournalStanding) -> JournalledAttempt {
        JournalledAttempt {
            entry: EntryId(entry),
            account: self.account.clone(),
            reference: self.reference.clone(),
            attempt: self.attempt,
            provider: self.provider.clone(),
            provider_reference: self.provider_reference.clone(),
            started_at: self.started_at,
            standing,
        }
    }
}
