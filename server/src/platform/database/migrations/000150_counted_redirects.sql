-- Whether a message was made by a redirect, a new link or a resend, which counts only if a provider accepts it. Null: no.
alter table deliveries add column counts_as_redirect boolean;
alter table deliveries alter column counts_as_redirect set statistics 10;  -- see 000013
