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

    /// The status after another receipt. Between two final statuses the first one stays.
    fn after(self, received: Self) -> Self {
        if received.rank() > self.rank() {
            received
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
    /// Most parts a network can report: the header that joins them counts them in one octet
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

    /// The statuses of the parts as a network reported or a record stored them, in their order.
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

    /// The dispatch after another receipt; `None` where it adds nothing. Nothing is added once the
    /// message as a whole is final, so the first final status of a message stays. A receipt with
    /// another number of parts is not about this message and adds nothing.
    pub fn after(&self, received: &Self) -> Option<Self> {
        if self.overall().is_final() || self.parts.len() != received.parts.len() {
            return None;
        }
        let pairs = self.parts.iter().zip(&received.parts);
        let parts = pairs
            .map(|(known, received)| known.after(*received))
            .collect();
        let known = Self { parts };
        (known != *self).then_some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::DeliveryStatus::{
        Buffered, Delivered, Expired, Pending, Rejected, Submitted, Undelivered, Unknown,
    };
    use super::*;
    use proptest::prelude::*;

    fn dispatch(parts: &[DeliveryStatus]) -> Dispatch {
        Dispatch::try_from_parts(parts.to_vec()).unwrap()
    }

    /// A receipt for one part; nothing is said of the others.
    fn receipt(part: usize, of: usize, status: DeliveryStatus) -> Dispatch {
        let mut parts = vec![Pending; of];
        parts[part] = status;
        dispatch(&parts)
    }

    fn apply_all<'a>(
        start: &Dispatch,
        received: impl IntoIterator<Item = &'a Dispatch>,
    ) -> Dispatch {
        received.into_iter().fold(start.clone(), |known, received| {
            known.after(received).unwrap_or(known)
        })
    }

    #[test]
    fn every_status_is_read_back_from_its_word() {
        for status in DeliveryStatus::ALL {
            assert_eq!(DeliveryStatus::from_code(status.code()), Some(status));
        }
        assert_eq!(DeliveryStatus::from_code("Delivered"), None);
    }

    #[test]
    fn four_words_are_final_and_not_knowing_is_none_of_them() {
        let finals = DeliveryStatus::ALL.into_iter().filter(|s| s.is_final());
        assert_eq!(
            finals.collect::<Vec<_>>(),
            [Delivered, Undelivered, Expired, Rejected]
        );
    }

    #[test]
    fn what_the_network_took_over_starts_submitted_with_a_part_at_least() {
        assert_eq!(Dispatch::new(3).parts(), [Submitted; 3]);
        assert_eq!(Dispatch::new(0).parts(), [Submitted]);
        assert_eq!(Dispatch::new(u8::MAX).parts().len(), Dispatch::PARTS_MAX);
        assert_eq!(Dispatch::new(2).overall(), Submitted);
    }

    #[test]
    fn a_dispatch_without_parts_or_with_too_many_is_refused() {
        assert_eq!(Dispatch::try_from_parts(Vec::new()), Err(InvalidDispatch));
        let parts = vec![Submitted; Dispatch::PARTS_MAX + 1];
        assert_eq!(Dispatch::try_from_parts(parts), Err(InvalidDispatch));
    }

    #[test]
    fn each_word_gives_way_to_those_that_say_more_and_to_no_other() {
        let order: [&[DeliveryStatus]; 5] = [
            &[Pending],
            &[Submitted],
            &[Unknown],
            &[Buffered],
            &[Delivered, Undelivered, Expired, Rejected],
        ];
        let ranked = || {
            order
                .iter()
                .enumerate()
                .flat_map(|(at, same)| same.iter().map(move |s| (at, *s)))
        };
        for (known_at, known) in ranked() {
            for (received_at, received) in ranked() {
                let observation = dispatch(&[known]).after(&dispatch(&[received]));
                let expected = (received_at > known_at).then(|| dispatch(&[received]));
                assert_eq!(observation, expected, "{known:?}, then {received:?}");
            }
        }
    }

    #[test]
    fn a_message_is_delivered_when_every_part_is() {
        let cases: [(&[DeliveryStatus], DeliveryStatus); 8] = [
            (&[Delivered, Delivered], Delivered),
            (&[Delivered, Submitted], Submitted),
            (&[Buffered, Delivered], Buffered),
            (&[Delivered, Unknown, Buffered], Unknown),
            (&[Pending, Submitted], Pending),
            (&[Delivered, Expired, Undelivered], Expired),
            (&[Undelivered, Rejected], Undelivered),
            (&[Submitted, Rejected], Rejected),
        ];
        for (parts, overall) in cases {
            assert_eq!(dispatch(parts).overall(), overall, "{parts:?}");
        }
    }

    #[test]
    fn the_first_failed_part_that_is_reported_decides_for_good() {
        let expired = Dispatch::new(2).after(&receipt(1, 2, Expired)).unwrap();
        assert_eq!(expired.overall(), Expired);
        assert_eq!(expired.after(&receipt(0, 2, Undelivered)), None);
        assert_eq!(expired.after(&dispatch(&[Delivered, Delivered])), None);
    }

    #[test]
    fn a_report_of_another_number_of_parts_changes_nothing() {
        assert_eq!(Dispatch::new(2).after(&dispatch(&[Delivered])), None);
        assert_eq!(Dispatch::new(2).after(&dispatch(&[Delivered; 3])), None);
    }

    fn any_status() -> impl Strategy<Value = DeliveryStatus> {
        proptest::sample::select(DeliveryStatus::ALL.to_vec())
    }

    fn any_dispatch(parts: usize) -> impl Strategy<Value = Dispatch> {
        proptest::collection::vec(any_status(), parts).prop_map(|parts| dispatch(&parts))
    }

    /// Receipts of a message: per part any words that are not final, and at most one final word,
    /// delivered or the failure that all parts share; some of them twice; and a new order of them.
    fn receipts() -> impl Strategy<Value = (usize, Vec<Dispatch>, Vec<Dispatch>)> {
        let failure = proptest::sample::select(vec![Undelivered, Expired, Rejected]);
        (1_usize..=4, failure).prop_flat_map(|(parts, failure)| {
            let open = proptest::sample::select(vec![Pending, Submitted, Unknown, Buffered]);
            let ends = proptest::sample::select(vec![None, Some(Delivered), Some(failure)]);
            let of_part = (proptest::collection::vec(open, 0..4), ends, any::<bool>());
            proptest::collection::vec(of_part, parts).prop_flat_map(move |reported| {
                let mut received = Vec::new();
                for (part, (open, end, twice)) in reported.into_iter().enumerate() {
                    let words: Vec<_> = open.into_iter().chain(end).collect();
                    let times = if twice { 2 } else { 1 };
                    received.extend(
                        words
                            .repeat(times)
                            .into_iter()
                            .map(|s| receipt(part, parts, s)),
                    );
                }
                (
                    Just(parts),
                    Just(received.clone()),
                    Just(received).prop_shuffle(),
                )
            })
        })
    }

    proptest! {
        #[test]
        fn the_order_of_receipts_and_their_repeats_do_not_matter(
            (parts, received, shuffled) in receipts(),
        ) {
            let start = Dispatch::new(u8::try_from(parts).unwrap());
            let known = apply_all(&start, &received);
            prop_assert_eq!(known.overall(), apply_all(&start, &shuffled).overall());
            let repeated = received.iter().chain(&shuffled);
            prop_assert_eq!(known.overall(), apply_all(&start, repeated).overall());
            if parts == 1 {
                prop_assert_eq!(known, apply_all(&start, &shuffled));
            }
        }

        #[test]
        fn hearing_the_same_twice_is_hearing_it_once(
            (known, received) in
                (1_usize..=4).prop_flat_map(|n| (any_dispatch(n), any_dispatch(n))),
        ) {
            if let Some(after) = known.after(&received) {
                prop_assert_ne!(&after, &known);
                prop_assert_eq!(after.after(&received), None);
            }
            prop_assert_eq!(known.after(&known), None);
        }

        #[test]
        fn nothing_known_is_taken_back_by_any_report(
            (mut known, received) in (1_usize..=4).prop_flat_map(|n| {
                (any_dispatch(n), proptest::collection::vec(any_dispatch(n), 0..12))
            }),
        ) {
            for received in &received {
                let Some(after) = known.after(received) else { continue };
                prop_assert!(!known.overall().is_final());
                for (before, after) in known.parts().iter().zip(after.parts()) {
                    let stays = before == after;
                    prop_assert!(stays || (!before.is_final() && *after != Pending));
                    prop_assert!(stays || *before != Buffered || after.is_final());
                }
                known = after;
            }
        }
    }
}
