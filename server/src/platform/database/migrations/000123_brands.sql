-- How an organization looks to its recipients. Null: as the service looks.
create table brands (
  organization_id uuid primary key references organizations,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  text_color text check (text_color ~ '^#[0-9a-f]{6}$'),
  footer text check (char_length(footer) between 1 and 300),
  sender_name text check (char_length(sender_name) between 1 and 80),
  reply_to text check (char_length(reply_to) <= 254),
  subject text check (char_length(subject) between 1 and 120),
  logo bytea check (octet_length(logo) <= 524288),  -- PNG
  logo_hash text,
  logo_width smallint,
  logo_height smallint,
  check ((color is null) = (text_color is null)),
  check (num_nulls(logo, logo_hash, logo_width, logo_height) in (0, 4))
);

create policy organizations on brands using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);
