//! The stages of a payment as spans, for builds that export traces. The filter of the log leaves
//! them out, and where nothing exports them they cost the look at a flag. A span must have nothing
//! of an order: what may stand in it is what the log names a payment by.

use domain::change_set::ChangeSet;
use domain::provider::ProviderId;
use domain::transaction::Transaction;
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::measurements::ProviderCallKind;
use tracing::{Instrument as _, Span, field};

/// What the filters of subscribers know these spans by.
const TARGET: &str = "manilla::trace";

/// A call of the provider that has a transaction. Its outcome is recorded once it is known.
pub(crate) fn provider_call(
    provider: &ProviderId,
    kind: ProviderCallKind,
    transaction: &Transaction,
) -> Span {
    tracing::info_span!(
        target: TARGET,
        "provider call",
        provider = provider.as_str(),
        call = kind.code(),
        txnReference = %transaction.number,
        mrcReference = transaction.reference.as_str(),
        outcome = field::Empty,
    )
}

/// Ends a call with its outcome.
pub(crate) fn ended(span: &Span, outcome: &'static str) {
    span.record("outcome", outcome);
}

/// Commits a change of a transaction within a span of its own. The change, which is large, goes
/// into the future of the store and not into the one of this.
pub(crate) fn commit<'a>(
    ledger: &'a dyn LedgerStore,
    change: ChangeSet,
    transaction: &Transaction,
) -> impl Future<Output = Result<CommitOutcome, PortError>> + Send + use<'a> {
    let span = tracing::info_span!(
        target: TARGET,
        "commit",
        txnReference = %transaction.number,
        mrcReference = transaction.reference.as_str(),
        outcome = field::Empty,
    );
    let committed = ledger.commit(change).instrument(span.clone());
    async move {
        let committed = committed.await;
        let outcome = match &committed {
            Ok(CommitOutcome::Done) => "done",
            Ok(_) => "refused",
            Err(_) => "failed",
        };
        ended(&span, outcome);
        committed
    }
}
