//! Files as they are served. They must be whole before they are answered with.

use bytes::Bytes;

/// A file as it is served.
#[derive(Debug, Clone, Copy)]
pub(crate) struct File {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: &'static [u8],
    pub(crate) packing: Packing,
}

impl File {
    pub(crate) const fn plain(content_type: &'static str, bytes: &'static [u8]) -> Self {
        Self {
            content_type,
            bytes,
            packing: Packing::Plain,
        }
    }
}

/// The encoding of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    /// Every browser decodes it, and a client that does not name its encodings accepts any (RFC
    /// 9110 §12.5.3), so no uncompressed copy is kept.
    Gzip,
}

/// A logo as it is served.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Its media type.
    pub content_type: &'static str,
    /// The file.
    pub bytes: Bytes,
}
