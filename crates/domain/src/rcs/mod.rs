//! RCS messages: what one may say and what becomes of it. It must never send or price.

mod card;
mod content;
mod delivery;
mod fallback;
mod message;
mod suggestion;

pub use card::{EmptyCard, RcsCard};
pub use content::{ContentTooLarge, RcsBody, RcsContent};
pub use delivery::RcsDelivery;
pub use fallback::{FallbackDelay, InvalidFallbackDelay, SmsFallback};
pub use message::{RcsMessage, RcsOrder};
pub use suggestion::{Suggestion, SuggestionAction};
