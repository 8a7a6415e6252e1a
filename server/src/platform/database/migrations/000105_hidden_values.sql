-- Whether messages to recipients name the amount and the category, which the wrapped gift hides.
alter table organizations add column messages_show_value boolean not null default false;
