-- Who makes an organization's cards: its choice for a category, or for all others. Without one, the card is simulated.
-- A removed issuer stays for the cards that it issued.
create table issuers (
  organization_id uuid not null references organizations,
  issuer_id uuid not null,
  category_id text references categories,  -- null: all categories without an own issuer
  kind text not null check (length(kind) between 1 and 40),
  settings text not null,                  -- sealed
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (organization_id, issuer_id)
);
create unique index issuers_chosen on issuers (organization_id, coalesce(category_id, '')) where removed_at is null;

-- While a gift is claiming, its card is being created: nothing may cancel, hold, expire, redirect or renew it.
alter table gifts add column claiming_at timestamptz;
alter table gifts alter column claiming_at set statistics 10;  -- see 000013

-- The card of a gift, unless it is simulated. `claiming`: it may exist at the issuer, inactive. `inactive`: the gift is
-- claimed. `refused`: the gift is unclaimed again.
create table cards (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  issuer_id uuid not null,
  state text not null check (state in ('claiming', 'inactive', 'active', 'refused', 'closed')),
  round smallint not null,          -- counts refusals, so that a new claim has a new key at the issuer
  entered text,                     -- sealed, what the recipient entered; only while claiming
  holder_hash bytea,                -- of the browser that claims
  terms_version text,
  accepted_at timestamptz,
  provider_id text,                 -- the issuer's id of the card
  face jsonb,                       -- brand, last four digits and expiry
  refusal text,                     -- for people
  begun_at timestamptz not null,
  primary key (organization_id, environment, gift_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade,
  foreign key (organization_id, issuer_id) references issuers
);
create unique index cards_provider_id on cards (organization_id, issuer_id, provider_id) where provider_id is not null;
create index cards_unfinished on cards (begun_at) where state in ('claiming', 'inactive');

do $$
declare
  tenant text;
begin
  foreach tenant in array array['issuers', 'cards'] loop
    execute format(
      $policy$create policy organizations on %I using (
        (select current_setting('app.organization_id', true)) = '*'
        or organization_id = any (
          (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
      )$policy$, tenant);
  end loop;
end $$;
