-- phase: expand
-- When the code of a second factor was checked for this session. Null: it was not, or a release that does not know this
-- column opened the session. Such a session does not count for a person who has a second factor.
alter table sessions add column second_factor_at timestamptz;
