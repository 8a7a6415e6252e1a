-- A person's gifts: by the address or the external id, and what an approver sees of the person whom a request is for.
drop index concurrently if exists yearly_gifts_of_address;
create index concurrently yearly_gifts_of_address on yearly_gifts (organization_id, environment, lower(address collate "C")) where address is not null;
drop index concurrently if exists yearly_gifts_of_external_id;
create index concurrently yearly_gifts_of_external_id on yearly_gifts (organization_id, environment, external_id) where external_id is not null;
drop index concurrently if exists yearly_gifts_of_request;
create index concurrently yearly_gifts_of_request on yearly_gifts (organization_id, environment, request_id) where request_id is not null;
