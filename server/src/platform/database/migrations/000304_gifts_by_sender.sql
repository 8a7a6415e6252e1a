-- What a member sent.
drop index concurrently if exists gifts_by_sender;
create index concurrently gifts_by_sender on gifts (organization_id, environment, sender_member_id, gift_id)
  where sender_member_id is not null;
