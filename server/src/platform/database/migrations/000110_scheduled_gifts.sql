-- When a gift is sent, if its order said so; `is_waiting` is true until then, and null once it is sent, canceled or erased.
alter table gifts add column scheduled_for timestamptz, add column is_waiting boolean,
  add constraint gifts_waiting_check check (is_waiting is null or is_waiting and scheduled_for is not null
    and delivery_state = 'pending' and opened_at is null and canceled_at is null) not valid;
alter table gifts alter column scheduled_for set statistics 10, alter column is_waiting set statistics 10;
