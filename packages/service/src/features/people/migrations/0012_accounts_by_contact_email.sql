-- phase: expand
-- transaction: none
-- By the characters of the address that are the same however it is spelled and whatever the database takes for upper and
-- lower case: no letter outside of ASCII, and neither i nor k, which some of those turn into (people/person.ts).
create index concurrently if not exists accounts_by_contact_email
  on accounts (
    organization_id,
    lower(regexp_replace(contact_email collate "C", '[^!-~]|[ikIK]', '', 'g')),
    id
  )
  where contact_email is not null;
