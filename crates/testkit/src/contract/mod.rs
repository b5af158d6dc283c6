//! What every adapter of a port must do, as laws that each adapter runs. A law must use nothing but
//! the port: what it cannot see there is not its business.

pub mod peers;
pub mod provider;
pub mod storage;
pub mod webhooks;
pub mod wire;
pub mod wire_stream;
