-- `contact_words` finds names. No release read this column.
alter table contacts drop column sought_name;
