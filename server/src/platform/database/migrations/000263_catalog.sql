create table categories (
  category_id text primary key check (category_id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 200),
  description text not null check (length(description) between 1 and 1000),
  artwork text,                       -- an absolute URL, or a path of this service
  product_details_url text,           -- null: this service's own page
  position integer not null,
  created_at timestamptz not null,
  retired_at timestamptz,             -- no longer sold; gifts of it stay
  -- What recipients read instead of the name, by language; null or no such language: the name.
  names jsonb
);
