-- Who may change what, but for owners: of whole tables, of single columns, and of sequences.
SELECT coalesce(r.rolname, 'every role'), lower(g.privilege_type) || ' ' || n.nspname || '.' || c.relname
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
CROSS JOIN LATERAL aclexplode(c.relacl) AS g
LEFT JOIN pg_roles AS r ON r.oid = g.grantee
WHERE g.grantee <> c.relowner AND g.privilege_type <> 'SELECT'
UNION
SELECT coalesce(r.rolname, 'every role'),
    lower(g.privilege_type) || ' ' || n.nspname || '.' || c.relname || '.' || a.attname
FROM pg_attribute AS a
JOIN pg_class AS c ON c.oid = a.attrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname IN ('public', 'audit')
CROSS JOIN LATERAL aclexplode(a.attacl) AS g
LEFT JOIN pg_roles AS r ON r.oid = g.grantee
WHERE g.grantee <> c.relowner AND g.privilege_type <> 'SELECT'
UNION
SELECT coalesce(r.rolname, 'every role'), 'create in ' || n.nspname
FROM pg_namespace AS n
CROSS JOIN LATERAL aclexplode(n.nspacl) AS g
LEFT JOIN pg_roles AS r ON r.oid = g.grantee
WHERE n.nspname IN ('public', 'audit') AND g.grantee <> n.nspowner AND g.privilege_type = 'CREATE'
ORDER BY 1, 2
