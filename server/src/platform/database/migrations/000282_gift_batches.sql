-- Many gifts that an admin sends from a file: a job places orders of ten, in the order of the rows.
create table batches (
  organization_id uuid not null references organizations,
  environment environment not null,
  batch_id uuid not null,
  form_id uuid not null,              -- one form makes one batch
  name text not null,
  state text not null check (state in ('draft', 'running', 'stopped', 'canceling', 'ended')),
  row_count smallint not null check (row_count between 1 and 10000),
  amount_cents bigint not null default 0 check (amount_cents >= 0),
  placed_count smallint not null default 0,
  refused_count smallint not null default 0,
  member_id uuid not null,            -- who started, resumed or canceled it last
  client_address text not null,       -- of that member, for the audit log
  run integer not null default 0,     -- of its latest job; earlier jobs do nothing
  stop_code text,
  stop_message text,
  cancel_reason text,
  canceled_to smallint not null default 0,  -- the last row whose order was canceled
  created_at timestamptz not null,
  changed_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, environment, batch_id),
  check ((state = 'stopped') = (stop_code is not null))
) with (fillfactor = 70);

create unique index batches_form on batches (organization_id, environment, form_id);

call protect_organizations('batches');

-- The gift is kept until its order is placed, or 30 days longer; then the order's gift has its address.
create table batch_rows (
  organization_id uuid not null,
  environment environment not null,
  batch_id uuid not null,
  row_number smallint not null check (row_number between 1 and 10000),
  amount_cents integer not null,
  gift jsonb,
  address text,                       -- as gifts have it; null for a link
  order_id uuid,
  position smallint,
  error_code text,
  error_message text,
  primary key (organization_id, environment, batch_id, row_number),
  foreign key (organization_id, environment, batch_id) references batches on delete cascade,
  check ((order_id is null) = (position is null)),
  check (order_id is null or error_code is null and gift is null and address is null)
);

-- What is still to be placed, and what an erasure looks through.
create index batch_rows_open on batch_rows (organization_id, environment, batch_id, row_number)
  where order_id is null and error_code is null;
create index batch_rows_addresses_folded on batch_rows
  (organization_id, lower(address collate "C")) where address is not null;

call protect_organizations('batch_rows');
