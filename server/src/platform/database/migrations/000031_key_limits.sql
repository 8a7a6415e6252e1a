-- Optional limits of a key. Until the previous release is stopped, it does not check them.
alter table api_keys
  add column expires_at timestamptz,                -- from then on the key is answered like a revoked one
  add column networks cidr[] check (cardinality(networks) between 1 and 20),  -- elsewhere it is answered like an unknown one
  add column first_key_id uuid;                     -- the first of the keys that replaced one another; null: this one

alter type notice_kind add value 'key_rolled';
