//! Comparing a store with the reference store over random sequences of operations. A difference
//! must be shown as the shortest sequence that still makes it.

mod agreement;
mod movement;
mod moving;
mod operation;
mod play;

pub use movement::ModelMovement;
pub use operation::ModelOperation;

use crate::contract::storage::Stores;
use crate::memory::MemoryStore;
use operation::operations;
use play::ModelComparison;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::future::Future;

/// Most attempts at shortening a sequence that showed a difference: each opens a store anew, and a
/// sequence that is short enough to read is short enough.
const SHRINK_ITERATIONS_MAX: u32 = 1_024;

/// Plays `cases` random sequences of `steps` operations on average on an empty candidate and an
/// empty reference store; every verdict and every read must agree. It runs on a runtime of its own
/// and must not be called from within one.
pub fn agrees_with_reference<F>(candidate: impl Fn() -> F, cases: u32, steps: usize)
where
    F: Future<Output = Stores>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let config = Config {
        cases,
        max_shrink_iters: SHRINK_ITERATIONS_MAX,
        // Sequences are printed; a file of seeds would be one more thing to keep.
        failure_persistence: None,
        ..Config::default()
    };
    let sequences = proptest::collection::vec(operations(), 1..=2 * steps);
    let outcome = TestRunner::new(config).run(&sequences, |sequence| {
        runtime.block_on(async {
            let reference = Stores::of(MemoryStore::new());
            compare(reference, candidate().await, &sequence).await
        })
    });
    if let Err(difference) = outcome {
        panic!("the store disagrees with the reference store: {difference}");
    }
}

async fn compare(
    reference: Stores,
    candidate: Stores,
    sequence: &[ModelOperation],
) -> Result<(), TestCaseError> {
    let mut comparison = ModelComparison::new(reference, candidate);
    comparison.prepare().await?;
    for operation in sequence {
        comparison.play(operation).await?;
    }
    comparison.read_everything().await
}

#[cfg(test)]
mod tests;
