//! Copies of the database put back under load, and what the page on restores says is done then:
//! whatever was acknowledged is found again, and nothing is delivered twice. It must do what that
//! page says and no more: a step that is missing there is missing for an operator.
#![cfg(test)]

mod embedded;
mod failover;
mod journal_lost;
mod settled;
mod shared;
mod trial;
