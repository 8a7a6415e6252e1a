-- Every row about an organization begins its primary key with organization_id, and every unique constraint and
-- foreign key carries it, so that the tables can be distributed by it (docs/scale.md). Ids
-- are UUIDv7s that the application makes; times are the application's too.
create type environment as enum ('live', 'sandbox');

-- What an order has moved is never changed: an entry of the ledger, a seal, an order, and a gift's value and claim. A
-- sandbox may be emptied. A trigger, because it also stops the tables' owner.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'A row of % cannot be changed or deleted this way.', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- A second wall between organizations: for everyone but the tables' owner, a statement sees and writes only rows of the
-- organizations that its session names in `app.organization_id` (separated by commas; `*`: all), and none if it names none.
-- The subqueries are evaluated once per statement, not once per row. row-security.ts applies the policies.
create procedure protect_organizations(tenant regclass) language plpgsql as $$
begin
  execute format(
    $policy$create policy organizations on %s using (
      (select current_setting('app.organization_id', true)) = '*'
      or organization_id = any (
        (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
    )$policy$, tenant);
end $$;

-- What gives the rows their meaning: the currency, and fingerprints of the secrets. Written by the first start.
create table installation (
  name text primary key,
  value text[] not null,
  kept_at timestamptz not null default now()
);
