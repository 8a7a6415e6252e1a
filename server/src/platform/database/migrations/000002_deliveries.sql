-- Every message about a gift, sent or to be sent: the first with the gift, one more with each redirect or renewed link.

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
  primary key (organization_id, environment, gift_id, delivery_id),
  foreign key (organization_id, environment, gift_id) references gifts on delete cascade
) with (fillfactor = 80);

alter table gifts add column delivery_id uuid;    -- the latest; null for a link gift

update gifts set delivery_id = gift_id where method <> 'link';

insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
  link_expires_at, state, created_at)
select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
  link_expires_at, delivery_state::text::delivery_progress, created_at
from gifts where method <> 'link';

alter table gifts add check ((method = 'link') = (delivery_id is null));
