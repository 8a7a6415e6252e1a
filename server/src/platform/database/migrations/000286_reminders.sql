-- Until when the times of reminders were looked at.
create table reminder_progress (
  is_only boolean primary key default true check (is_only),
  reminded_until timestamptz not null
);

-- Addresses that get no more reminders of an organization, as hashes.
create table unsubscribed (
  organization_id uuid not null references organizations,
  holder text not null,
  created_at timestamptz not null,
  primary key (organization_id, holder)
);

call protect_organizations('unsubscribed');
