//! Text messages: senders, encodings, parts and what becomes of each. It must never send or price.
