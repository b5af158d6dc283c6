//! Which entries of the catalogue a list holds. It must not decide what can be bought.

/// Which entries a list holds (interface §4.4 and §4.5, `retrieve`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Retrieve {
    /// Those that can be bought now.
    Buyable,
    /// Every active one.
    All,
}
