//! The operations, one per file in the folder of its family. A handler must do no more than parse,
//! call and render.

mod account;
mod airtime;
mod collection;
pub(crate) mod documentation;
mod electricity;
mod elsewhere;
mod geolocation;
mod health;
mod payment;
pub(crate) mod table;

pub(crate) use table::router;
