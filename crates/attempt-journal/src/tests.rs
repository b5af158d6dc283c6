//! Tests of the whole journal.
