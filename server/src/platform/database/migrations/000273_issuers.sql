-- Who makes an organization's cards: its choice for a category, or for all others. Without one, the card is
-- simulated. A removed issuer stays for the cards that it issued.
create table issuers (
  organization_id uuid not null references organizations,
  issuer_id uuid not null,
  category_id text references categories,  -- null: all categories without an own issuer
  kind text not null check (length(kind) between 1 and 40),
  settings text not null,             -- encrypted
  created_at timestamptz not null,
  removed_at timestamptz,
  reconcile_at timestamptz not null default now(),
  reconciled_at timestamptz,          -- facts since before it are recorded
  low_stock integer check (low_stock > 0),  -- of own codes: a mail below it
  low_stock_warned_at timestamptz,
  -- What the issuer's balance held when it was asked last, and what gifts on its cards could still spend then.
  -- Issuers that are paid from one balance have the same account.
  funding_account text,
  funding_cents bigint,
  unspent_cents bigint,
  funding_checked_at timestamptz,
  funding_check_at timestamptz not null default now(),
  funding_warned_at timestamptz,
  primary key (organization_id, issuer_id)
);

create unique index issuers_chosen on issuers (organization_id, coalesce(category_id, '')) where removed_at is null;

call protect_organizations('issuers');

-- Codes of shops that an operator bought elsewhere. Each is handed out once, to one gift.
create table shop_codes (
  organization_id uuid not null references organizations,
  code_id uuid not null,
  category_id text not null references categories,
  value_cents integer not null check (value_cents > 0),
  sealed text not null,               -- code and PIN, encrypted
  fingerprint text not null,          -- keyed hash of shop and code
  expires date,
  shop text not null check (length(shop) between 1 and 200),
  terms_url text check (length(terms_url) <= 2000),
  created_at timestamptz not null,
  gift_id uuid,                       -- null: in stock
  handed_out_at timestamptz,
  -- A code that may have been handed out after the time of a restore waits until the operator releases it.
  set_aside_at timestamptz,
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

call protect_organizations('shop_codes');
