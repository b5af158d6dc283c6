//! What the databases can do by themselves. It must hold nothing of ours: who doubts a ceiling
//! can run it without the gateway.

pub(crate) mod pgbench;
pub(crate) mod sqlite;
