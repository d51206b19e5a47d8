-- phase: expand
-- When somebody showed that the address of the account is theirs, and how ('operator' or 'provider'). Null: nobody did,
-- so whoever opened the invitation may have set the password and the second factor.
alter table users add column address_proven_at timestamptz;
alter table users add column address_proven_by text;

-- Only the command line creates operators. A provider identity was bound by an address that the provider had verified.
update users set address_proven_at = created_at, address_proven_by = 'operator' where role = 'operator';
update users set address_proven_at = identity.created_at, address_proven_by = 'provider'
from provider_identities as identity where identity.user_id = users.id and users.address_proven_at is null;

-- Who made a link, and in which organization. A link ends with its maker's right to make it. Null: the command line, the
-- start of the service, or release 1.1.0.
alter table sign_in_links add column made_by uuid;
alter table sign_in_links add column organization_id uuid;
-- Whether an operator made it. Opening such a link proves the address.
alter table sign_in_links add column by_operator boolean not null default false;
alter table memberships add column invitation_made_by uuid;

-- Who made the link that opened the session: it ends with their access, as the link would.
alter table sessions add column link_made_by uuid;
-- When the person of the session proved who they are. Null for a link that an admin made, which the admin could open too.
alter table sessions add column proven_at timestamptz;
