-- Teams of members. Who is in one sees what the team sends, and a team can have limits.
create table teams (
  organization_id uuid not null references organizations,
  team_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  primary key (organization_id, team_id)
);

create unique index teams_name on teams (organization_id, lower(name));

call protect_organizations('teams');

alter table members
  add column team_id uuid,
  add foreign key (organization_id, team_id) references teams;

-- The member who sends them, or who asked for them; null if a program does.
alter table orders add column sender_member_id uuid;
alter table orders alter column sender_member_id set statistics 10;
create trigger orders_keep_their_sender before update of sender_member_id on orders
  for each row execute function refuse_change();
alter table gifts add column sender_member_id uuid;
alter table gifts alter column sender_member_id set statistics 10;
create trigger gifts_keep_their_sender before update of sender_member_id on gifts
  for each row execute function refuse_change();
