-- phase: expand
-- Limits that an operator has set for one organization, by operation, as {"importTransactions": {"requests": 1000,
-- "windowSeconds": 60}}; null: the limits that everybody has. Beside the key, because the gate reads both at once.
alter table organizations add column own_limits jsonb;
-- For leads with this key, as {"requests": 100, "windowSeconds": 60}; null: the organization's.
alter table api_keys add column lead_limit jsonb;

-- By which limit a bucket was judged last. The statement that takes from it brings the limit along in these columns,
-- since what it updates a row with has to come from the row that it wanted to insert.
alter table rate_limits add column requests integer;
alter table rate_limits add column window_seconds integer;
