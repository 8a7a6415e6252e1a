-- What senders begin a gift with.
create table gift_templates (
  organization_id uuid not null references organizations,
  environment environment not null,
  template_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  amount_cents integer not null,
  category_id text not null,
  sender_name text check (length(sender_name) <= 200),
  message text check (length(message) <= 500),
  language text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organization_id, environment, template_id),
  unique (organization_id, environment, name)
);

call protect_organizations('gift_templates');
