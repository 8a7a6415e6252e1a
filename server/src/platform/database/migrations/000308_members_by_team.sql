-- Who is in a team.
drop index concurrently if exists members_by_team;
create index concurrently members_by_team on members (organization_id, team_id) where team_id is not null;
