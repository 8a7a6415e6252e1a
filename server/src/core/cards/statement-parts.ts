// Parts of statements that change cards. The gift is `$1`, `$2`, `$3` where no other is named.

/** Upsert of the card that a local issuer made. @param values of the columns in this order */
export const insertActiveCard = (values: string) =>
  `insert into cards (organization_id, environment, gift_id, issuer_id, state, round, provider_id, face, begun_at)
   ${values}
   on conflict (organization_id, environment, gift_id) do update set issuer_id = excluded.issuer_id, state = 'active',
     provider_id = excluded.provider_id, face = excluded.face, refusal = null, begun_at = excluded.begun_at
     where cards.state = 'refused'`;

/** Upsert of a card that an issuer is asked for, in a new round. @param source query of the columns in this order */
export const beginCard = (source: string) =>
  `insert into cards (organization_id, environment, gift_id, issuer_id, state, round, entered, holder_hash, terms_version,
       accepted_at, begun_at, pin, holder_address)
     ${source}
     on conflict (organization_id, environment, gift_id) do update set issuer_id = excluded.issuer_id, state = 'claiming',
       round = cards.round + 1, entered = excluded.entered, holder_hash = excluded.holder_hash,
       terms_version = excluded.terms_version, accepted_at = excluded.accepted_at, refusal = null, provider_id = null,
       face = null, sealed = null, begun_at = excluded.begun_at, pin = excluded.pin,
       holder_address = excluded.holder_address
     returning 1`;

/** Update: the issuer has made the card of the CTE `claim`, which does not work yet. */
export const makeCard = ({ providerId, face, sealed }: { providerId: string; face: string; sealed: string }) =>
  `update cards k set state = 'inactive', provider_id = ${providerId}, face = ${face}, sealed = ${sealed}, entered = null, pin = null,
       holder_address = null
     from claim where k.organization_id = $1 and k.environment = $2 and k.gift_id = claim.gift_id
     returning k.holder_hash`;

/** Update: the issuer makes no card for the CTE `claim`. */
export const refuseCard = (refusal: string) =>
  `update cards k set state = 'refused', refusal = ${refusal}, entered = null, holder_hash = null, pin = null,
       holder_address = null
     from claim where k.organization_id = $1 and k.environment = $2 and k.gift_id = claim.gift_id`;

/** Update: the card works. */
export const activateCard = `update cards set state = 'active'
   where organization_id = $1 and environment = $2 and gift_id = $3 and state = 'inactive'`;

/**
 * Update of the cards `k` of gifts of `$1` whose recipient is erased. A claim that waits for its issuer ends, and with it what
 * was entered: no card of such a claim was activated. What the issuer has of the holder of another card is erased later.
 *
 * @param gifts CTE
 */
export const eraseCards = (gifts: string, now: string) =>
  `update cards k set entered = null, pin = null, holder_address = null,
       state = case k.state when 'claiming' then 'refused' else k.state end,
       holder_hash = case k.state when 'claiming' then null else k.holder_hash end,
       erase_at = case when k.provider_id is not null and k.state <> 'refused' then ${now} else k.erase_at end
     from ${gifts} f
     where k.organization_id = $1 and k.environment = f.environment and k.gift_id = f.gift_id`;

/** Update that plans what the issuer has of the card's holder to be erased. */
export const eraseHolderAt = (now: string) =>
  `update cards set erase_at = ${now}
   where organization_id = $1 and environment = $2 and gift_id = $3 and provider_id is not null and state <> 'refused'`;

/** Update that erases the address that the holder entered. */
export const eraseHolderAddress = `update cards set holder_address = null
     where organization_id = $1 and environment = $2 and gift_id = $3 and holder_address is not null
     returning gift_id`;
