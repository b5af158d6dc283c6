//! What a test waits for in the bytes of a client, and what is lost then. It must find a pattern
//! that comes in pieces.

/// A pattern, and when the line is cut.
#[derive(Debug, Clone)]
pub(super) struct Trap {
    pub(super) pattern: Vec<u8>,
    pub(super) cut: Cut,
}

/// When a line is cut on which the pattern came.
#[derive(Debug, Clone)]
pub(super) enum Cut {
    /// Before the server has it.
    Before,
    /// After the server's answer, which ends so, and is kept from the client.
    AfterAnswer { end: Vec<u8> },
}

impl Trap {
    pub(super) fn before(pattern: &[u8]) -> Self {
        Self {
            pattern: pattern.to_owned(),
            cut: Cut::Before,
        }
    }

    pub(super) fn after(pattern: &[u8], answer_end: &[u8]) -> Self {
        Self {
            pattern: pattern.to_owned(),
            cut: Cut::AfterAnswer {
                end: answer_end.to_owned(),
            },
        }
    }
}

/// The last bytes that went one way.
#[derive(Debug, Default)]
pub(super) struct ByteTail(Vec<u8>);

/// Longer than any pattern a test looks for.
const KEPT: usize = 256;

impl ByteTail {
    /// Whether a pattern is in new bytes, perhaps begun in the ones before them.
    pub(super) fn finds(&self, pattern: &[u8], new: &[u8]) -> bool {
        let begun = self.0.len().min(pattern.len().saturating_sub(1));
        let before = self.0.len() - begun;
        let mut text = self.0.get(before..).unwrap_or_default().to_owned();
        text.extend_from_slice(new);
        text.windows(pattern.len().max(1))
            .any(|window| window == pattern)
    }

    /// Whether all bytes, with the new ones, end so.
    pub(super) fn ends(&self, end: &[u8], new: &[u8]) -> bool {
        let mut text = self.0.clone();
        text.extend_from_slice(new);
        text.ends_with(end)
    }

    pub(super) fn add(&mut self, new: &[u8]) {
        self.0.extend_from_slice(new);
        let old = self.0.len().saturating_sub(KEPT);
        self.0.drain(..old);
    }
}

#[cfg(test)]
mod tests {
    use super::ByteTail;

    #[test]
    fn a_pattern_is_found_in_pieces_and_only_once() {
        let mut tail = ByteTail::default();
        assert!(!tail.finds(b"COMMIT", b"Q...COM"));
        tail.add(b"Q...COM");
        assert!(tail.finds(b"COMMIT", b"MIT\0"));
        assert!(!tail.finds(b"COMMIT", b"MOT\0"));
        tail.add(b"MIT\0");
        assert!(!tail.finds(b"COMMIT", b"Q...COM"));
    }

    #[test]
    fn an_end_may_come_in_pieces() {
        let mut tail = ByteTail::default();
        tail.add(b"COMMIT\0Z\0\0");
        assert!(tail.ends(super::super::IDLE, b"\0\x05I"));
        assert!(!tail.ends(super::super::IDLE, b"\0\x05T"));
        assert!(!ByteTail::default().ends(super::super::IDLE, b"\0\x05I"));
    }
}
