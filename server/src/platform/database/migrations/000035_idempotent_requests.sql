-- What each Idempotency-Key of a request other than an order did, written in the transaction of that act. Kept for 30 days.
create table idempotent_requests (
  organization_id uuid not null references organizations,
  environment environment not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  operation text not null,            -- method and path of the request
  fingerprint bytea not null check (length(fingerprint) = 32),
  resource_id uuid,                   -- what the act created; null if the path names it
  created_at timestamptz not null,
  primary key (organization_id, environment, idempotency_key)
);
create index idempotent_requests_created_at on idempotent_requests (created_at);

create policy organizations on idempotent_requests using (
  (select current_setting('app.organization_id', true)) = '*'
  or organization_id = any (
    (select string_to_array(nullif(current_setting('app.organization_id', true), '*'), ',')::uuid[])::uuid[])
);
