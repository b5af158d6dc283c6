//! How large a run is: small enough for every change, or as large as a release needs.
//! It must not change what is checked.

/// What a variable of the environment says, or the given number.
///
/// # Panics
/// When the variable is no number.
#[must_use]
pub fn of_run(variable: &str, default: u32) -> u32 {
    let reported = std::env::var(variable).ok();
    reported.map_or(default, |reported| {
        let number = reported.parse();
        number.unwrap_or_else(|error| panic!("{variable} is {reported:?}: {error}"))
    })
}
