-- New keys name their organization. Keys of the earlier forms, `sk_` keys and those with 32 random digits, do not: here their
-- hash finds it. No foreign key: with several database servers this table is the same on each, an organization is on one.
create table earlier_keys (
  hash bytea primary key check (length(hash) = 32),
  organization_id uuid not null,
  environment environment not null
);

alter table api_keys add column names_organization boolean not null default false;

-- Until the previous release is stopped, it creates keys of the earlier forms.
create function record_earlier_key() returns trigger language plpgsql as $$
begin
  insert into earlier_keys (hash, organization_id, environment)
  values (new.hash, new.organization_id, new.environment)
  on conflict (hash) do nothing;
  return null;
end $$;

create trigger earlier_keys_are_recorded after insert on api_keys
  for each row when (not new.names_organization) execute function record_earlier_key();

insert into earlier_keys (hash, organization_id, environment)
select hash, organization_id, environment from api_keys
on conflict (hash) do nothing;
