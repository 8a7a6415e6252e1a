-- Addresses compared by ASCII rules, also in a Turkish database (database/folding.ts). The earlier indexes stay for the
-- release before. What a build that was interrupted has left is dropped.
drop index concurrently if exists gifts_by_recipient_folded;
create index concurrently gifts_by_recipient_folded on gifts
  (organization_id, environment, lower(address collate "C"), gift_id) where address is not null;
drop index concurrently if exists members_email_folded;
create unique index concurrently members_email_folded on members (organization_id, lower(email collate "C"));
drop index concurrently if exists members_address_folded;
create index concurrently members_address_folded on members (lower(email collate "C"));
drop index concurrently if exists gift_requests_addresses_folded;
create index concurrently gift_requests_addresses_folded on gift_requests
  (organization_id, lower(address collate "C")) where address is not null;
drop index concurrently if exists batch_rows_addresses_folded;
create index concurrently batch_rows_addresses_folded on batch_rows
  (organization_id, lower(address collate "C")) where address is not null;
