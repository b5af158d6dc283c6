//! Whether money is real: every account and every provider belongs to one environment for good, and
//! nothing of one may ever be delivered, booked or reported in the other.

/// Where an account or a provider belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Nothing is delivered and no money moves.
    Test,
    /// Real goods for real money.
    Live,
}

impl Environment {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Test, Self::Live];

    /// The word of it: `test` or `live`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Live => "live",
        }
    }

    /// The environment that a word stands for.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.code() == code)
    }

    /// The prefix that the API keys of its accounts begin with.
    pub const fn key_prefix(self) -> &'static str {
        match self {
            Self::Test => "mk_test_",
            Self::Live => "mk_live_",
        }
    }
}

/// One value for each environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByEnvironment<T> {
    /// That of [`Environment::Test`].
    pub test: T,
    /// That of [`Environment::Live`].
    pub live: T,
}

impl<T> ByEnvironment<T> {
    /// A value for each, made from the environment.
    pub fn from_fn(mut of: impl FnMut(Environment) -> T) -> Self {
        Self {
            test: of(Environment::Test),
            live: of(Environment::Live),
        }
    }

    /// The value of one.
    pub const fn of(&self, environment: Environment) -> &T {
        match environment {
            Environment::Test => &self.test,
            Environment::Live => &self.live,
        }
    }
}
