-- What recipients choose from on our page, as the issuer Tremendous told it last.
create table tremendous_products (
  organization_id uuid not null,
  issuer_id uuid not null,
  product_id text not null check (length(product_id) <= 40),
  position integer not null,           -- in Tremendous's order
  name text not null check (length(name) <= 200),
  description text not null,
  instructions text not null,
  terms text not null,
  kind text not null check (kind in ('gift_card', 'prepaid_card', 'bank', 'wallet', 'charity')),
  words text not null,                 -- that a search finds: small letters without accents
  countries text[] not null,           -- ISO 3166; empty: everywhere
  amounts int8multirange not null,     -- in cents
  picture_url text,
  picture_id text,
  read_at timestamptz not null,
  primary key (organization_id, issuer_id, product_id),
  foreign key (organization_id, issuer_id) references issuers
);

call protect_organizations('tremendous_products');

-- Pictures of what can be chosen, drawn again, so that no browser asks the issuer.
create table issuer_pictures (
  organization_id uuid not null references organizations,
  picture_id text not null check (picture_id ~ '^[0-9a-f]{32}$'),  -- a hash of the content
  content bytea not null check (length(content) <= 200000),        -- WebP
  primary key (organization_id, picture_id)
);

call protect_organizations('issuer_pictures');
