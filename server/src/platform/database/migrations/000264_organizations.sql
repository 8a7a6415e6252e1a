create type member_role as enum ('admin', 'member');

create table organizations (
  organization_id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  billing_contact_member_id uuid,
  created_at timestamptz not null,
  suspended_at timestamptz,
  requires_second_factor boolean not null default false,
  gifts_held_at timestamptz,
  -- How long a gift can be claimed. `sold`: the recipient, or someone for them, paid.
  program text not null default 'award' check (program in ('award', 'sold')),
  unclaimed_after_days smallint,      -- null: gifts do not expire
  expiry_announced_at timestamptz,
  -- Days after the order on which the recipient of an unclaimed live gift is reminded.
  reminder_days smallint[] not null default '{7,21}'
    check (cardinality(reminder_days) <= 5 and 1 <= all (reminder_days) and 365 >= all (reminder_days)),
  -- Whether messages to recipients name the amount and the category, which the wrapped gift hides.
  messages_show_value boolean not null default false,
  language text,
  members_may_request boolean not null default false,
  check (unclaimed_after_days between case program when 'sold' then 1826 else 30 end and 3650)
);

call protect_organizations('organizations');

create table members (
  organization_id uuid not null references organizations,
  member_id uuid not null,
  email text not null check (length(email) between 3 and 254),
  role member_role not null,
  created_at timestamptz not null,
  deactivated_at timestamptz,
  -- Members begin when the invited person accepts; until then they are deactivated. What happens to a person's
  -- sign-in belongs to the person.
  invitation text check (invitation in ('pending', 'ended')),  -- null: accepted, or added by the operator; ended: declined
  primary key (organization_id, member_id)
);

create unique index members_email_folded on members (organization_id, lower(email collate "C"));
create index members_address_folded on members (lower(email collate "C"));

call protect_organizations('members');

alter table organizations add foreign key (organization_id, billing_contact_member_id) references members;
