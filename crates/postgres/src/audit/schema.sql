-- What the schemas of the gateway hold, by kind and name, and what each is. A constraint that only
-- says that a column is not empty is a part of the column.
SELECT 'column ' || n.nspname || '.' || c.relname || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
        || CASE WHEN a.attcollation NOT IN (0, 100)
            THEN ' collate ' || (SELECT l.collname FROM pg_collation AS l WHERE l.oid = a.attcollation)
            ELSE '' END
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
FROM pg_attribute AS a
JOIN pg_class AS c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT 'constraint ' || n.nspname || '.' || c.relname || '.' || k.conname,
    pg_get_constraintdef(k.oid)
FROM pg_constraint AS k
JOIN pg_class AS c ON c.oid = k.conrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
WHERE k.contype IN ('c', 'f', 'p', 'u', 'x')
UNION ALL
SELECT 'index ' || n.nspname || '.' || c.relname || '.' || i.relname,
    pg_get_indexdef(x.indexrelid) || CASE WHEN x.indisvalid AND x.indisready THEN '' ELSE ' invalid' END
FROM pg_index AS x
JOIN pg_class AS i ON i.oid = x.indexrelid
JOIN pg_class AS c ON c.oid = x.indrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
UNION ALL
SELECT 'trigger ' || n.nspname || '.' || c.relname || '.' || t.tgname,
    pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text
FROM pg_trigger AS t
JOIN pg_class AS c ON c.oid = t.tgrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
WHERE NOT t.tgisinternal
UNION ALL
SELECT 'disabled trigger ' || n.nspname || '.' || c.relname || '.' || k.conname, ''
FROM pg_trigger AS t
JOIN pg_constraint AS k ON k.oid = t.tgconstraint
JOIN pg_class AS c ON c.oid = t.tgrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
WHERE t.tgisinternal AND t.tgenabled <> 'O'
UNION
SELECT 'rule ' || n.nspname || '.' || c.relname || '.' || r.rulename, md5(pg_get_ruledef(r.oid))
FROM pg_rewrite AS r
JOIN pg_class AS c ON c.oid = r.ev_class
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
UNION ALL
SELECT 'function ' || n.nspname || '.' || p.proname || '('
        || pg_get_function_identity_arguments(p.oid) || ')',
    md5(p.prosrc) || CASE WHEN p.prosecdef THEN ' as its owner' ELSE '' END
FROM pg_proc AS p
JOIN pg_namespace AS n ON n.oid = p.pronamespace AND n.nspname IN ('public', 'audit')
UNION ALL
SELECT CASE c.relkind WHEN 'v' THEN 'view ' WHEN 'S' THEN 'sequence ' ELSE 'table ' END
        || n.nspname || '.' || c.relname,
    'kind ' || c.relkind::text || c.relpersistence::text
        || CASE WHEN c.relrowsecurity THEN ' with policies' ELSE '' END
        || CASE WHEN c.relowner <> (
                SELECT v.relowner FROM pg_class AS v
                JOIN pg_namespace AS s ON s.oid = v.relnamespace
                WHERE v.relname = 'schema_versions' AND s.nspname = 'public'
            ) THEN ' of another owner' ELSE '' END
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
ORDER BY 1
