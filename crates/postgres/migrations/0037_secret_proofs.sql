-- What the pepper and each generation of the key ring make of a constant, so that a gateway with
-- other secrets is refused. The rows of the highest `acceptance` count; those before it were in
-- force until an operator accepted others. A proof reveals nothing of its secret. The pepper stands
-- in database_identity too, where the version before looks for it.

CREATE TABLE secret_proofs (
    acceptance bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    proof bytea NOT NULL,
    CONSTRAINT secret_proofs_once PRIMARY KEY (acceptance, kind, generation),
    CONSTRAINT secret_proofs_acceptance CHECK (acceptance BETWEEN 1 AND 1000000),
    CONSTRAINT secret_proofs_kind CHECK (kind IN ('pepper', 'key')),
    CONSTRAINT secret_proofs_generation CHECK (generation BETWEEN 1 AND 4294967295),
    CONSTRAINT secret_proofs_length CHECK (length(proof) = 32)
);

CREATE TRIGGER secret_proofs_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON secret_proofs
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
