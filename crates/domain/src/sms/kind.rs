//! The types of message a merchant may ask for. A type must never decide alone that a content fits
//! the short alphabet: what is written in it has the last word.

/// A type of message (interface §4.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// An ordinary message.
    Text,
    /// Shown at once and not kept by the handset.
    Flash,
    /// Sent in UCS-2 whatever it holds.
    Unicode,
    /// Arabic script: sent in UCS-2 whatever it holds.
    Arabic,
    /// Carries the address of a page.
    Wap,
}

impl MessageKind {
    /// Every type, in the order of the interface.
    pub const ALL: [Self; 5] = [
        Self::Text,
        Self::Flash,
        Self::Unicode,
        Self::Arabic,
        Self::Wap,
    ];

    /// The word requests and records carry.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flash => "flash",
            Self::Unicode => "unicode",
            Self::Arabic => "arabic",
            Self::Wap => "wap",
        }
    }

    /// Reads the word of a request; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// Whether the type asks for UCS-2 without looking at the content.
    pub(super) const fn is_always_ucs2(self) -> bool {
        match self {
            Self::Unicode | Self::Arabic => true,
            Self::Text | Self::Flash | Self::Wap => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_read_back_from_its_word_and_nothing_else_is() {
        for kind in MessageKind::ALL {
            assert_eq!(MessageKind::from_code(kind.code()), Some(kind));
        }
        for word in ["", "Text", "TEXT", "sms", " text"] {
            assert_eq!(MessageKind::from_code(word), None, "{word:?}");
        }
    }
}
