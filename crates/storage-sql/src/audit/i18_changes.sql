-- What a provider reported is applied. What waits in the dead-letter list is not booked yet.
SELECT provider || ' reported a change of ' || reference || ' that is not applied: ' || reason
    || ' (position ' || position || ', tried ' || tries || ' times)' AS line
FROM dead_letters
WHERE due_at IS NOT NULL
