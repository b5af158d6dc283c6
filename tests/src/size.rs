//! How large a run is: small enough for every change, or as large as somebody asks for a release.
//! It must not change what is checked.

/// What a variable of the environment says, or the given number.
///
/// # Panics
/// When the variable is no number.
#[must_use]
pub fn of_run(variable: &str, default: u32) -> u32 {
    let told = std::env::var(variable).ok();
    told.map_or(default, |told| {
        let number = told.parse();
        number.unwrap_or_else(|error| panic!("{variable} is {told:?}: {error}"))
    })
}
