//! The attempts whose first answer is not the last word, for a provider that calls back once they
//! have an end. It must never hold up an answer.

use domain::reference::ProviderReference;
use std::sync::OnceLock;
use tokio::sync::mpsc;

/// How many wait to be looked at: some seconds of a busy gateway.
const UNDECIDED_MAX: usize = 1_024;

/// Where such attempts are noted.
#[derive(Debug, Default)]
pub(crate) struct UndecidedAttempts(OnceLock<mpsc::Sender<ProviderReference>>);

impl UndecidedAttempts {
    /// The attempts that are noted from now on. A second receiver is given nothing.
    pub(crate) fn receiver(&self) -> mpsc::Receiver<ProviderReference> {
        let (sender, receiver) = mpsc::channel(UNDECIDED_MAX);
        // It fails where there is one already.
        let _ = self.0.set(sender);
        receiver
    }

    /// Notes an attempt. One that finds no room is left out: a callback is a hint.
    pub(crate) fn note(&self, reference: &ProviderReference) {
        if let Some(sender) = self.0.get() {
            let _ = sender.try_send(reference.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_no_room_is_left_out_and_holds_nothing_up() {
        let reference = ProviderReference::from_echo("a.1");
        let undecided = UndecidedAttempts::default();
        // Nothing is kept for a provider that does not call back.
        undecided.note(&reference);
        let mut receiver = undecided.receiver();
        for _ in 0..=UNDECIDED_MAX {
            undecided.note(&reference);
        }
        let mut taken = 0;
        while receiver.try_recv().is_ok() {
            taken += 1;
        }
        assert_eq!(taken, UNDECIDED_MAX);
    }
}
