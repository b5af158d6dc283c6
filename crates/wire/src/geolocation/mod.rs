//! Locations (interface §2.10). It must not show a guess.

mod circle;
pub mod device;
pub mod ipaddress;
pub mod number;

pub use circle::Circle;

use crate::tree::Node;
use rust_decimal::Decimal;

/// Degrees without trailing zeros, and with one decimal at least: they are declared as floats.
fn degrees(degrees: Decimal) -> Node {
    let mut degrees = degrees.normalize();
    if degrees.scale() == 0 {
        degrees.rescale(1);
    }
    Node::Float(degrees)
}
