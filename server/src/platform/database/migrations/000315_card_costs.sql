-- What an issuer takes for a card beyond its value, such as a fee, is a fact of the card too.
alter table card_facts drop constraint card_facts_kind_check, add constraint card_facts_kind_check check (kind in ('approved',
  'declined', 'hold', 'hold_changed', 'released', 'captured', 'refunded', 'disputed', 'cost', 'cost_returned', 'closed'))
  not valid;
