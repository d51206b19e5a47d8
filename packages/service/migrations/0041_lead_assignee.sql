-- phase: expand
-- The key of the email address of the member who works on the lead. Null: no one.
alter table leads add column assignee_key text collate "C";
