-- phase: expand

-- What a rejected request was answered: {messages, headers}. Never its body.
alter table request_log add column answer json;
