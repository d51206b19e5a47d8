-- phase: expand

-- Where an instance is reached, for commands that print links: its ports may differ from the configured ones.
alter table instances add column address text;
