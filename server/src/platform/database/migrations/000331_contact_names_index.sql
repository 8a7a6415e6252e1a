-- Contacts whose names begin with a text.
drop index concurrently if exists contacts_sought_names;
create index concurrently contacts_sought_names on contacts (organization_id, environment, sought_name) where sought_name is not null;
