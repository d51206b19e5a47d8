-- phase: expand
-- transaction: none
create index concurrently if not exists leads_by_phone
  on leads (organization_id, regexp_replace(phone collate "C", '[^0-9]', '', 'g'), id)
  where phone is not null;
