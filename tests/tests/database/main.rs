//! The gateway while its database goes away, comes back, is cut off, or comes back older than it
//! was: as a merchant and an operator see it. The gateway must never need to be started again.
#![cfg(test)]

mod buyers;
mod cuts;
mod older;
mod outages;
mod standbys;
