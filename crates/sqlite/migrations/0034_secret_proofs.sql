-- What the pepper and each generation of the key ring make of a constant, so that a gateway with
-- other secrets is refused. The rows of the highest `acceptance` count; those before it were in
-- force until an operator accepted others. A proof reveals nothing of its secret.

CREATE TABLE secret_proofs (
    acceptance INTEGER NOT NULL CONSTRAINT secret_proofs_acceptance CHECK (
        acceptance BETWEEN 1 AND 1000000
    ),
    kind TEXT NOT NULL CONSTRAINT secret_proofs_kind CHECK (kind IN ('pepper', 'key')),
    generation INTEGER NOT NULL CONSTRAINT secret_proofs_generation CHECK (
        generation BETWEEN 1 AND 4294967295
    ),
    proof BLOB NOT NULL CONSTRAINT secret_proofs_length CHECK (length(proof) = 32),
    CONSTRAINT secret_proofs_once PRIMARY KEY (acceptance, kind, generation)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER secret_proofs_no_update BEFORE UPDATE ON secret_proofs BEGIN
    SELECT RAISE(ABORT, 'secret_proofs are append-only');
END;

CREATE TRIGGER secret_proofs_no_delete BEFORE DELETE ON secret_proofs BEGIN
    SELECT RAISE(ABORT, 'secret_proofs are append-only');
END;
