-- A text as people search it, without case and accents; folding.ts calls it. Letters that have no accent apart, too.
create function fold_text(text) returns text immutable strict parallel safe language sql as $$
  select replace(replace(replace(replace(
    translate(upper(regexp_replace(normalize($1, NFD), '[\u0300-\u036f]+', '', 'g')), 'İıØŁĐÐĦẞ', 'IIOLDDHß'),
    'ß', 'SS'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH')
$$;

-- Its words, with one space for what stands between them. Only `@` stays. Few people write more, and an index takes no more.
create function searched_words(text) returns text immutable strict parallel safe language sql as $$
  select btrim(left(regexp_replace(
    fold_text($1), '[\u0001-/:-?\[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'), 100))
$$;

-- What a contact is found by: the beginning of each word of a name, a reference and an address, with what follows. After the
-- last word of a name come the first ones: people write “Cruz Maria”, too. A number is found without its first digits.
create function words_of_contact(name text, address text, external_id text) returns setof text
immutable parallel safe language sql as $$
  with folded as materialized (
    select string_to_array(searched_words(name), ' ') as name, string_to_array(searched_words(external_id), ' ') as reference,
      string_to_array(split_part(searched_words(address), '@', 1), ' ') as address,
      coalesce(substring(searched_words(address) from '@.*'), '') as domain
  )
  select array_to_string(f.name[n:] || f.name[:n - 1], ' ') from folded f, generate_subscripts(f.name, 1) as n
  union
  select array_to_string(f.reference[n:], ' ') from folded f, generate_subscripts(f.reference, 1) as n
  union
  select array_to_string(f.address[n:], ' ') || f.domain from folded f, generate_subscripts(f.address, 1) as n
  union
  select f.domain from folded f where f.domain <> ''
  union
  select substr($2, n) from generate_series(3, length($2) - 3) as n where $2 ~ '^\+\d+$'
$$;

-- A table, because row security lets an index of many values find nothing. A trigger keeps it, as it does `metadata_pairs`.
create table contact_words (
  organization_id uuid not null,
  environment environment not null,
  contact_id uuid not null,
  words text collate "C" not null,
  primary key (organization_id, environment, contact_id, words)
);

call protect_organizations('contact_words');

create function keep_contact_words() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from contact_words
    where organization_id = old.organization_id and environment = old.environment and contact_id = old.contact_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into contact_words (organization_id, environment, contact_id, words)
    select new.organization_id, new.environment, new.contact_id, words
    from words_of_contact(new.name, new.address, new.external_id) as words;
  end if;
  return null;
end $$;

create trigger contacts_keep_words after insert or delete on contacts for each row execute function keep_contact_words();

create trigger changed_contacts_keep_words after update of name, address, external_id on contacts
  for each row when ((old.name, old.address, old.external_id) is distinct from (new.name, new.address, new.external_id))
  execute function keep_contact_words();

insert into contact_words (organization_id, environment, contact_id, words)
select organization_id, environment, contact_id, words
from contacts, words_of_contact(name, address, external_id) as words;

create index contact_words_sought on contact_words (organization_id, environment, words);
