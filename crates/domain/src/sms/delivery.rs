//! What became of a message on its way to the handset, part by part. Receipts arrive late, twice
//! and out of order; a word that says more must never give way to one that says less.

/// What is known of the delivery of a message or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// Not yet with the network.
    Pending,
    /// The network took it over.
    Submitted,
    /// The network holds it until the handset can be reached.
    Buffered,
    /// The handset has it. Final.
    Delivered,
    /// It could not be delivered. Final.
    Undelivered,
    /// It was not delivered within its validity. Final.
    Expired,
    /// The network refused it. Final.
    Rejected,
    /// The network does not know.
    Unknown,
}

impl DeliveryStatus {
    /// Every status.
    pub const ALL: [Self; 8] = [
        Self::Pending,
        Self::Submitted,
        Self::Buffered,
        Self::Delivered,
        Self::Undelivered,
        Self::Expired,
        Self::Rejected,
        Self::Unknown,
    ];

    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Submitted => "submitted",
            Self::Buffered => "buffered",
            Self::Delivered => "delivered",
            Self::Undelivered => "undelivered",
            Self::Expired => "expired",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// Whether nothing can follow.
    pub const fn is_final(self) -> bool {
        matches!(self.rank(), Rank::Final)
    }

    /// Whether it is final and the handset does not have it.
    const fn is_failure(self) -> bool {
        match self {
            Self::Undelivered | Self::Expired | Self::Rejected => true,
            Self::Pending | Self::Submitted | Self::Buffered | Self::Delivered | Self::Unknown => {
                false
            }
        }
    }

    /// How much it says. That the network does not know is more than that it took the part over,
    /// which is known before any receipt. It is less than any definite word, being held included:
    /// such a word stays when an old "unknown" comes in late, and replaces one that came before.
    const fn rank(self) -> Rank {
        match self {
            Self::Pending => Rank::Pending,
            Self::Submitted => Rank::Submitted,
            Self::Unknown => Rank::Unknown,
            Self::Buffered => Rank::Buffered,
            Self::Delivered | Self::Undelivered | Self::Expired | Self::Rejected => Rank::Final,
        }
    }

    /// What is known after another word was heard. Between two final words the first one stays.
    fn after(self, heard: Self) -> Self {
        if heard.rank() > self.rank() {
            heard
        } else {
            self
        }
    }
}

/// How much a status says, least first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Pending,
    Submitted,
    Unknown,
    Buffered,
    Final,
}

/// What the network took over: one status per part, in the order of the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatch {
    parts: Vec<DeliveryStatus>,
}

/// The number of parts is not one a message can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to {} parts", Dispatch::PARTS_MAX)]
pub struct InvalidDispatch;

impl Dispatch {
    /// Most parts a network can tell of: the header that joins them counts them in one octet
    /// (3GPP TS 23.040 §9.2.3.24.1). It is above what the gateway sends, because networks cut
    /// messages by rules of their own.
    pub const PARTS_MAX: usize = u8::MAX as usize;

    /// A message of so many parts that the network took over a moment ago. Zero counts as one: a
    /// message has a part at least.
    pub fn new(parts: u8) -> Self {
        Self {
            parts: vec![DeliveryStatus::Submitted; usize::from(parts.max(1))],
        }
    }

    /// What a network or a record tells of the parts, in their order.
    ///
    /// # Errors
    /// Refuses no part at all and more than [`Self::PARTS_MAX`].
    pub fn try_from_parts(parts: Vec<DeliveryStatus>) -> Result<Self, InvalidDispatch> {
        (1..=Self::PARTS_MAX)
            .contains(&parts.len())
            .then_some(Self { parts })
            .ok_or(InvalidDispatch)
    }

    /// The status of each part, in the order of the parts; one at least.
    pub fn parts(&self) -> &[DeliveryStatus] {
        &self.parts
    }

    /// The status of the message. The first part that failed decides: a message with a hole is not
    /// delivered. Without a failure the part that is least far along decides, so a message is
    /// Delivered when every part is.
    pub fn overall(&self) -> DeliveryStatus {
        let failed = self.parts.iter().find(|part| part.is_failure());
        let decides = failed.or_else(|| self.parts.iter().min_by_key(|part| part.rank()));
        // There is no dispatch without a part, so the other value is never taken.
        decides.copied().unwrap_or(DeliveryStatus::Pending)
    }

    /// What is known after more was heard; `None` where nothing is new. Nothing is once the
    /// message as a whole is final, so the first final status of a message stays its status. What
    /// tells of another number of parts is not about this message as it was cut, and is no news.
    pub fn after(&self, heard: &Self) -> Option<Self> {
        if self.overall().is_final() || self.parts.len() != heard.parts.len() {
            return None;
        }
        let pairs = self.parts.iter().zip(&heard.parts);
        let parts = pairs.map(|(known, heard)| known.after(*heard)).collect();
        let known = Self { parts };
        (known != *self).then_some(known)
    }
}
