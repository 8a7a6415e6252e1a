-- Codes of shops that an operator bought elsewhere. Each is handed out once, to one gift.
create table shop_codes (
  organization_id uuid not null references organizations,
  code_id uuid not null,
  category_id text not null references categories,
  value_cents integer not null check (value_cents > 0),
  sealed text not null,             -- code and PIN
  fingerprint text not null,        -- keyed hash of shop and code
  expires date,
  shop text not null check (length(shop) between 1 and 200),
  terms_url text check (length(terms_url) <= 2000),
  created_at timestamptz not null,
  gift_id uuid,                     -- null: in stock
  handed_out_at timestamptz,
  primary key (organization_id, code_id),
  unique (organization_id, fingerprint),
  check ((gift_id is null) = (handed_out_at is null))
);
create index shop_codes_stock on shop_codes (organization_id, category_id, value_cents, expires, code_id)
  where gift_id is null;
create index shop_codes_gifts on shop_codes (organization_id, gift_id) where gift_id is not null;

-- A code is handed out once.
create trigger shop_codes_are_handed_out_once before update of gift_id, handed_out_at on shop_codes
  for each row when (old.gift_id is not null) execute function refuse_change();
create trigger shop_codes_are_kept before delete on shop_codes
  for each row when (old.gift_id is not null) execute function refuse_change();

alter table issuers add column low_stock integer check (low_stock > 0);  -- of own codes: a mail below it
alter table issuers add column low_stock_warned_at timestamptz;

create policy organizations on shop_codes using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);

alter type audit_actor_kind add value 'recipient';
alter type notice_kind add value 'codes_low';
