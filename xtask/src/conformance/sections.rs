//! How many rows each numbered section of the interface has. It must be counted from the interface,
//! never from the table: a row that was dropped there has to be missed here.

/// Each section with its rows. A field, an attribute, a status, a code, a limit and every rule that
/// can be seen from outside count one each; an answer that has two shapes counts two.
pub(super) const SECTIONS: [(&str, usize); 24] = [
    // The envelope: three fields, the root of the resource, metadata and its total.
    ("2.1", 6),
    // The object `query` and its four fields.
    ("2.2", 5),
    // Eight fields, and numbers that are carried as texts.
    ("2.3", 9),
    // Eleven fields, and a report that is the same.
    ("2.4", 12),
    // Provider 7, smartcard 15 with both names of the cost, plan 6 in a wrap of 3 or on its own,
    // instant 11, top-up 8, report 12.
    ("2.5", 63),
    // Company 8, meter 13, payment 16, two more in the report, token 3.
    ("2.6", 42),
    // Number 3, provider 6, plan 6 in a wrap of 3, subscription 11, one more in the report.
    ("2.7", 30),
    // Variant A 12 and one more in the report, variant B 14, two ways of billing.
    ("2.8", 29),
    // Bank 8, account 4, payout and report 11.
    ("2.9", 23),
    // Twenty-seven fields, and the placeholder.
    ("2.10", 28),
    // Credentials, JSON bodies, 200 with its code.
    ("4.0", 3),
    // Four parameters, and the object they are answered with.
    ("4.1", 5),
    // From here on each endpoint with its attributes.
    ("4.2", 10),
    ("4.3", 24),
    ("4.4", 17),
    ("4.5", 16),
    // Two variants, the report, five types, detection, receipts.
    ("4.6", 25),
    ("4.7", 16),
    ("4.8", 5),
    // Families without a shape, verbs without an operation, an answer without fields.
    ("4.9", 3),
    // With 304, which HTTP has for an answer that a client keeps.
    ("7.1", 25),
    // The codes, and those that have no meaning.
    ("7.2", 26),
    // Three types, the shape of one of them, DELETE.
    ("7.3", 5),
    // Twelve limits, five headers, two refusals.
    ("8", 19),
];
