-- A code of an authenticator app is good once: the thirty seconds, counted since 1970, of the latest one that was taken.
-- It goes with the app: whoever sets one up anew has another secret and other codes.

alter table portal.two_factors add column last_used_step integer;
