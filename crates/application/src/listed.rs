//! Lists of the catalogue as a merchant asked for them. It must not price or sort.

/// What a list holds, and how much it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// What was asked for.
    pub found: Vec<T>,
    /// How many there are with those that cannot be bought now.
    pub total: usize,
}
