-- phase: expand
-- transaction: none
create index concurrently if not exists accounts_by_contact_phone
  on accounts (organization_id, regexp_replace(contact_phone_number collate "C", '[^0-9]', '', 'g'), id)
  where contact_phone_number is not null;
