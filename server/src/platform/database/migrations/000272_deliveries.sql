-- Every message about a gift, sent or to be sent: the first with the gift, one more with each redirect or renewed
-- link.
create type delivery_channel as enum ('email', 'phone');
create type delivery_progress as enum ('pending', 'sent', 'delivered', 'failed');

create table deliveries (
  organization_id uuid not null,
  environment environment not null,
  gift_id uuid not null,
  delivery_id uuid not null,          -- the message's identity, however often it is tried
  channel delivery_channel not null,
  address text not null,
  link_version smallint not null,     -- what the message's link says, so that it is the same at every try
  link_expires_at timestamptz not null,
  state delivery_progress not null,   -- sent: a provider accepted it; delivered and failed: the news since
  tries smallint not null default 0,
  reason text,                        -- why it failed, or why the latest try did not succeed
  provider text,                      -- smtp, twilio, outbox
  provider_id text,
  created_at timestamptz not null,
  sent_at timestamptz,
  settled_at timestamptz,
  -- A reminder is a message of its own, beside the gift's latest one.
  reminder_day smallint,
  -- Whether a message was made by a redirect, a new link or a resend, which counts only if a provider accepts it.
  -- Null: no.
  counts_as_redirect boolean,
  primary key (organization_id, environment, gift_id, delivery_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
) with (fillfactor = 80);

-- Live messages that wait, for the metrics: they are few, and counted without a look at all that were ever sent.
create index deliveries_pending on deliveries (channel) where environment = 'live' and state = 'pending';
create unique index deliveries_reminders on deliveries (organization_id, environment, gift_id, reminder_day)
  where reminder_day is not null;

call protect_organizations('deliveries');

-- What every order adds to is analyzed each time it has grown by a tenth: in a young service every few seconds. With
-- samples of 30,000 rows that took 0.4 s of processor for these four tables; one of 3,000 takes a tenth of it. The
-- p99 of orders at half the rate that saturates the service went from 41 to 18 ms (medians of six runs each).
-- Whatever an organization asks for is found by an index all the same (plans.test.ts).
do $$
declare
  grown record;
begin
  for grown in
    select attrelid::regclass as name, attname as column_name from pg_attribute
    where attrelid in ('orders'::regclass, 'gifts'::regclass, 'deliveries'::regclass, 'ledger_entries'::regclass)
      and attnum > 0 and not attisdropped
  loop
    execute format('alter table %s alter column %I set statistics 10', grown.name, grown.column_name);
  end loop;
end
$$;
