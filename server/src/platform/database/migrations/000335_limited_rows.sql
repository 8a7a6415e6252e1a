-- The rows of each table of organizations that its policy shows, as a view with the table's name. The service's sessions look
-- in this schema first (session-settings.ts), so that a statement reads and writes the view. Behind a policy PostgreSQL uses
-- an index only for functions that a superuser declared leakproof, and the equality of enums and `lower` are not; behind a
-- view it uses every index. A function that leaks its arguments shows nothing to the service: the author of the
-- service's SQL also names its organizations.
create schema limited;

-- Makes the view again, with the privileges that it had, after columns were added. A migration that drops a column or changes
-- its type leaves the column out of the view before.
create procedure limit_rows(tenant regclass, without name[] default '{}') language plpgsql as $$
declare
  view_name text := format('limited.%I', (select relname from pg_class where oid = tenant));
  columns text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = tenant and attnum > 0 and not attisdropped and attname <> all (without));
  condition text := (select pg_get_expr(polqual, polrelid) from pg_policy where polrelid = tenant and polname = 'organizations');
  privileges text[] := array(select format('grant %s on %s to %s', privilege_type, view_name, grantee::regrole)
    from pg_class c, aclexplode(c.relacl) where c.oid = to_regclass(view_name) and grantee not in (0, c.relowner));
  privilege text;
begin
  execute format('drop view if exists %s', view_name);
  execute format('create view %s as select %s from %s where %s with local check option', view_name, columns, tenant, condition);
  foreach privilege in array privileges loop
    execute privilege;
  end loop;
end $$;

do $$
declare
  tenant regclass;
begin
  for tenant in select polrelid from pg_policy where polname = 'organizations' loop
    call limit_rows(tenant);
  end loop;
end $$;
