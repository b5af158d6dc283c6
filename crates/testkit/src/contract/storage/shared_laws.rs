//! The laws of stores that several processes share, of which others have none.

/// The same for the laws of stores that several processes share, and of the reference store.
#[macro_export]
macro_rules! shared_storage_contract {
    ($make:expr) => {
        $crate::storage_contract!(@laws $make;
            instances_never_have_the_same_naira
            an_attempt_that_was_taken_over_may_not_be_sent
            an_attempt_that_was_claimed_may_not_be_sent
            an_attempt_that_is_due_by_the_time_of_the_store_may_not_be_sent
            an_attempt_that_ended_may_not_be_sent
            no_other_attempt_than_the_recorded_one_may_be_sent
            each_that_asks_at_one_moment_is_answered_for_itself
        );
    };
}
