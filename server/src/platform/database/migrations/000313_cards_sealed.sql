-- What opens a card at its issuer, such as a link, encrypted by the issuer's adapter.
alter table cards add column sealed text, alter column sealed set statistics 10;
