-- People to whom an organization sends gifts again and again.
create table contacts (
  organization_id uuid not null references organizations,
  environment environment not null,
  contact_id uuid not null,
  method text not null check (method in ('email', 'phone')),
  address text not null check (length(address) <= 254),   -- as gifts have it
  name text check (length(name) <= 200),
  language text,
  tags text[] not null check (cardinality(tags) <= 20),
  external_id text check (length(external_id) <= 255),
  birthday text check (birthday ~ '^(\d{4}-)?\d\d-\d\d$'),                  -- year, if it is known, month and day
  work_anniversary text check (work_anniversary ~ '^(\d{4}-)?\d\d-\d\d$'),  -- the first day of work
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organization_id, environment, contact_id)
);

-- One contact for each person.
create unique index contacts_addresses_folded on contacts (organization_id, environment, lower(address collate "C"));
create unique index contacts_external_ids on contacts (organization_id, environment, external_id) where external_id is not null;
-- What an erasure looks for.
create index contacts_of_address on contacts (organization_id, lower(address collate "C"));

call protect_organizations('contacts');
