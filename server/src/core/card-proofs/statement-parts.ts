// Parts of statements that change what proves that a card is someone's.

/** Upsert of what lets another browser show the card; nothing if both are null. @param source query of ids, `pin` and `holder_address` */
export const insertProof = (source: string) =>
  `insert into card_proofs (organization_id, environment, gift_id, pin, holder_address)
     select organization_id, environment, gift_id, pin, holder_address from (${source}) entered
     where pin is not null or holder_address is not null
     on conflict (organization_id, environment, gift_id) do update set pin = excluded.pin, pin_tries = 0, pin_tried_at = null,
       pin_failures = 0, holder_address = excluded.holder_address
     returning 1`;

/** Update that erases the address that the holder entered, and its code, of gifts of `$1`. @param gifts what follows `from` */
export const eraseProofs = (gifts: string) =>
  `update card_proofs p set holder_address = null, sealed_code = null from ${gifts} f
     where p.organization_id = $1 and p.environment = f.environment and p.gift_id = f.gift_id
       and p.holder_address is not null
     returning p.gift_id`;
