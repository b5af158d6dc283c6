//! One state of the world in 128 bits. It must hold everything that can make two futures differ,
//! and nothing else: what it holds too much multiplies the search, what it lacks falsifies it.

/// The moments that matter to a provider, in minutes since the payment was opened, none further
/// apart than a step of an age may count: before and at the end of the quarantine of an attempt
/// begun at once or two minutes later. At the last one everything has arrived and is shown; what
/// passes from there on are only ages.
pub(crate) const MOMENTS: [u16; 4] = [0, 2, 4, 6];

/// How long the last moment is, each time that it passes.
pub(crate) const LAST_PAUSE: u16 = 2;

/// The last moment at which an attempt may begin: a later second attempt is the same world,
/// shifted.
pub(crate) const LAST_BEGINNING: u8 = 1;

/// What is true of an attempt at the provider or on the way there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    /// Never sent, or lost on the way.
    Nothing,
    /// On the way since the first moment.
    OnTheWay,
    /// On the way since the second moment.
    OnTheWayLater,
    /// Accepted for processing.
    Processing,
    /// Delivered.
    Delivered,
    /// Delivered, but another amount.
    OtherAmount,
    /// Refused, for good where the provider keeps its word.
    Refused,
    /// Delivered and taken back.
    TakenBack,
}

impl Truth {
    const ALL: [Self; 8] = [
        Self::Nothing,
        Self::OnTheWay,
        Self::OnTheWayLater,
        Self::Processing,
        Self::Delivered,
        Self::OtherAmount,
        Self::Refused,
        Self::TakenBack,
    ];

    /// When it was sent, while it is on the way.
    pub(crate) fn sent_at(self) -> Option<u8> {
        match self {
            Self::OnTheWay => Some(0),
            Self::OnTheWayLater => Some(1),
            Self::Nothing
            | Self::Processing
            | Self::Delivered
            | Self::OtherAmount
            | Self::Refused
            | Self::TakenBack => None,
        }
    }

    /// Whether the provider has given something away, if only for a while.
    pub(crate) fn had_effect(self) -> bool {
        matches!(self, Self::Delivered | Self::OtherAmount | Self::TakenBack)
    }

    /// Whether it is given away.
    pub(crate) fn costs(self) -> bool {
        matches!(self, Self::Delivered | Self::OtherAmount)
    }

    /// Whether it has been or may still be given away.
    pub(crate) fn may_cost(self) -> bool {
        !matches!(self, Self::Nothing | Self::Refused | Self::TakenBack)
    }
}

/// What a worker has received and not yet applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Observed {
    Yes,
    OtherAmount,
    WithoutToken,
    No,
    NotSent,
    Pending,
    Nothing,
    FoundYes,
    /// The handset has the first of a message's two parts.
    FoundFirstPart,
    /// The handset has the second of them.
    FoundSecondPart,
    FoundOtherAmount,
    FoundWithoutToken,
    FoundNo,
    FoundPending,
    FoundNoTrace,
    /// "No trace" that was said at the moment before.
    FoundNoTraceBefore,
    FoundTakenBack,
    FoundNothing,
    Takeover,
    RuledYes,
    RuledNo,
    /// Its moment in the queue has come.
    Due,
    /// Its merchant cancels it.
    Cancelled,
    /// Another user approves it.
    Approved,
    /// Another user refuses it.
    Refused,
    /// The gateway gives the price back.
    Refunded,
}

impl Observed {
    pub(crate) const ALL: [Self; 26] = [
        Self::Yes,
        Self::OtherAmount,
        Self::WithoutToken,
        Self::No,
        Self::NotSent,
        Self::Pending,
        Self::Nothing,
        Self::FoundYes,
        Self::FoundFirstPart,
        Self::FoundSecondPart,
        Self::FoundOtherAmount,
        Self::FoundWithoutToken,
        Self::FoundNo,
        Self::FoundPending,
        Self::FoundNoTrace,
        Self::FoundNoTraceBefore,
        Self::FoundTakenBack,
        Self::FoundNothing,
        Self::Takeover,
        Self::RuledYes,
        Self::RuledNo,
        Self::Due,
        Self::Cancelled,
        Self::Approved,
        Self::Refused,
        Self::Refunded,
    ];

    /// Whether the provider says that it has the attempt, and is not done with it.
    pub(crate) fn acknowledges(self) -> bool {
        matches!(
            self,
            Self::Pending | Self::WithoutToken | Self::FoundPending | Self::FoundWithoutToken
        )
    }
}

/// What a worker is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing, or its process is gone.
    Idle,
    /// Record the payment and its first attempt.
    Opening,
    /// Send the attempt it recorded.
    Sending,
    /// Wait for the answer.
    Waiting,
    /// Take over or ask about what it read.
    Asking,
    /// Apply what it received of an attempt (0 or 1) and store the result.
    Reporting(Observed, u8),
}

const REPORTING: u8 = 5;

impl Role {
    fn code(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Opening => 1,
            Self::Sending => 2,
            Self::Waiting => 3,
            Self::Asking => 4,
            Self::Reporting(received, attempt) => REPORTING + 2 * received as u8 + attempt,
        }
    }

    fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Idle,
            1 => Self::Opening,
            2 => Self::Sending,
            3 => Self::Waiting,
            4 => Self::Asking,
            reported => {
                let reported = reported - REPORTING;
                Self::Reporting(Observed::ALL[usize::from(reported / 2)], reported % 2)
            }
        }
    }
}

/// A worker: what it is about to do and the copy of the transaction it works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecoveryWorker {
    pub(crate) role: Role,
    /// The transaction as it read it, by its number among all that were met.
    pub(crate) copy: u16,
    /// Whether another version was stored since.
    pub(crate) stale: bool,
}

impl RecoveryWorker {
    pub(crate) const IDLE: Self = Self {
        role: Role::Idle,
        copy: 0,
        stale: false,
    };

    fn pack(self) -> u64 {
        let role = u64::from(self.role.code()) << COPY_BITS;
        (role | u64::from(self.copy)) << 1 | u64::from(self.stale)
    }
}

/// Whether the provider's index misses what the provider has; it does so at one moment at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Index {
    Sound,
    Missing,
    Recovered,
}

/// Whether the merchant's wallet holds the largest amount there is; it fills up once at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filling {
    Before,
    Full,
    Spent,
}

/// One state of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchedWorld {
    /// What is stored, by its number among all that were met; 0 is nothing.
    pub(crate) stored: u16,
    /// Which of the [`MOMENTS`] it is.
    pub(crate) moment: u8,
    pub(crate) index: Index,
    /// Whether the gateway has taken an acknowledgement in, whatever it made of it.
    pub(crate) acknowledged: bool,
    /// What is true of each attempt.
    pub(crate) attempts: [Truth; 2],
    pub(crate) workers: [RecoveryWorker; 2],
    /// How often the wall clock was set.
    pub(crate) clock_steps: u8,
    pub(crate) backup: Backup,
    pub(crate) filling: Filling,
}

/// A copy of the store, taken at any step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backup {
    None,
    /// What was stored when it was taken.
    Taken(u16),
    /// The store was set back to it.
    PutBack,
}

impl Backup {
    fn code(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Taken(stored) => stored.into(),
            Self::PutBack => (1 << STORED_BITS) - 1,
        }
    }

    fn from_code(code: u16) -> Self {
        match code {
            0 => Self::None,
            code if code == (1 << STORED_BITS) - 1 => Self::PutBack,
            stored => Self::Taken(stored),
        }
    }
}

pub(crate) const STORED_BITS: u32 = 15;
pub(crate) const COPY_BITS: u32 = 13;
const CLOCK_BITS: u32 = 2;
const FILLING_BITS: u32 = 2;
const MOMENT_BITS: u32 = 4;
const INDEX_BITS: u32 = 2;
const TRUTH_BITS: u32 = 3;
const ROLE_BITS: u32 = 6;
const WORKER_BITS: u32 = ROLE_BITS + COPY_BITS + 1;

impl SearchedWorld {
    /// Before anything: a request has come in, and nothing is stored.
    pub(crate) const START: Self = Self {
        stored: 0,
        moment: 0,
        index: Index::Sound,
        acknowledged: false,
        attempts: [Truth::Nothing; 2],
        workers: [
            RecoveryWorker {
                role: Role::Opening,
                ..RecoveryWorker::IDLE
            },
            RecoveryWorker::IDLE,
        ],
        clock_steps: 0,
        backup: Backup::None,
        filling: Filling::Before,
    };

    /// Minutes since the payment was opened.
    pub(crate) fn minutes(self) -> u16 {
        MOMENTS[usize::from(self.moment)]
    }

    pub(crate) fn pack(self) -> u128 {
        let mut bits = u128::from(self.stored);
        let mut push = |value: u64, width: u32| bits = bits << width | u128::from(value);
        push(self.filling as u64, FILLING_BITS);
        push(self.clock_steps.into(), CLOCK_BITS);
        push(self.backup.code(), STORED_BITS);
        push(self.moment.into(), MOMENT_BITS);
        push(self.index as u64, INDEX_BITS);
        push(self.acknowledged.into(), 1);
        for truth in self.attempts {
            push(truth as u64, TRUTH_BITS);
        }
        let [first, second] = self.workers.map(RecoveryWorker::pack);
        // The workers have no names: swapping them changes nothing that may follow.
        push(first.max(second), WORKER_BITS);
        push(first.min(second), WORKER_BITS);
        bits
    }

    pub(crate) fn unpack(mut bits: u128) -> Self {
        let mut pop = |width: u32| {
            let value = bits & ((1 << width) - 1);
            bits >>= width;
            u16::try_from(value).unwrap()
        };
        let mut worker = || RecoveryWorker {
            stale: pop(1) == 1,
            copy: pop(COPY_BITS),
            role: Role::from_code(u8::try_from(pop(ROLE_BITS)).unwrap()),
        };
        let (second, first) = (worker(), worker());
        let mut truth = || Truth::ALL[usize::from(pop(TRUTH_BITS))];
        let (later, earlier) = (truth(), truth());
        let acknowledged = pop(1) == 1;
        let index = match pop(INDEX_BITS) {
            0 => Index::Sound,
            1 => Index::Missing,
            _ => Index::Recovered,
        };
        let moment = u8::try_from(pop(MOMENT_BITS)).unwrap();
        let backup = Backup::from_code(pop(STORED_BITS));
        let clock_steps = u8::try_from(pop(CLOCK_BITS)).unwrap();
        let filling = match pop(FILLING_BITS) {
            0 => Filling::Before,
            1 => Filling::Full,
            _ => Filling::Spent,
        };
        Self {
            index,
            acknowledged,
            moment,
            backup,
            clock_steps,
            filling,
            stored: pop(STORED_BITS),
            attempts: [earlier, later],
            workers: [first, second],
        }
    }
}

#[test]
fn a_packed_world_unpacks_to_the_same_world() {
    for (received, truth) in Observed::ALL
        .into_iter()
        .zip(Truth::ALL.into_iter().cycle())
    {
        let teller = RecoveryWorker {
            role: Role::Reporting(received, 1),
            copy: (1 << COPY_BITS) - 1,
            stale: true,
        };
        let world = SearchedWorld {
            stored: (1 << STORED_BITS) - 1,
            moment: 3,
            index: Index::Recovered,
            acknowledged: true,
            attempts: [truth, Truth::TakenBack],
            workers: [teller, SearchedWorld::START.workers[0]],
            clock_steps: 3,
            backup: Backup::Taken(77),
            filling: Filling::Spent,
        };
        let swapped = SearchedWorld {
            workers: [world.workers[1], world.workers[0]],
            ..world
        };
        assert_eq!(SearchedWorld::unpack(world.pack()), world);
        assert_eq!(SearchedWorld::unpack(swapped.pack()), world);
    }
}
