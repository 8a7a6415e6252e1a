-- A person's gift of a year outlives their contact: one who is deleted and added again has no second gift of that year.
alter table yearly_gifts
  drop constraint yearly_gifts_organization_id_environment_contact_id_fkey,
  drop constraint yearly_gifts_state_check,
  add constraint yearly_gifts_state_check
    check (state in ('coming', 'requested', 'waiting', 'ordered', 'skipped', 'missed', 'canceled')),
  -- Of the contact, as long as there is one.
  add column address text,
  add column external_id text,
  -- How often a request or an order for it was canceled before: a part of the next one's key.
  add column attempt smallint not null default 0;

update yearly_gifts g set address = c.address, external_id = c.external_id
from contacts c
where c.organization_id = g.organization_id and c.environment = g.environment and c.contact_id = g.contact_id;
