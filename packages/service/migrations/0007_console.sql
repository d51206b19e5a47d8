-- What the console asks for that nothing else does: runs by resource, outcome and key, and a contact by the
-- partner's own id. All of them are one entry a run, or only there where the field was given.
create index import_runs_by_resource on import_runs (organization_id, resource, id);
create index import_runs_with_failures on import_runs (organization_id, status, id) where status <> 1;
create index import_runs_by_key on import_runs (organization_id, api_key_id, id);
create index contacts_by_reference on contacts (organization_id, tp_reference_id) where tp_reference_id is not null;
