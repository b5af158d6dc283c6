//! Cards that are paid to, by the token a provider gave for each. A card's number must never be
//! held, shown or logged: what may be one is refused.

mod number;
mod order;
mod token;

pub use number::may_hold_card_number;
pub use order::{CardOrder, CardTransfer};
pub use token::{CardDigits, CardToken, InvalidCardToken, PaymentCard};
