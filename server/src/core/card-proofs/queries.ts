import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { setHolder } from '../gifts/gift/statement-parts.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

interface ProofRow {
  /** Null if no code was sent, or the latest was used. */
  code_sent_at: Date | null;
  code_tries: number;
  has_pin: boolean;
  /** Wrong PINs since it was set. */
  pin_failures: number;
  /** Of a link gift: where its holder is sent a code. */
  holder_address: string | null;
  /** Until when another browser may take the card, once. */
  reopened_until: Date | null;
}

export const selectProof = statement<One, ProofRow>(
  'proofs.select',
  `select case when sealed_code is null then null else code_sent_at end as code_sent_at, code_tries,
     pin is not null as has_pin, pin_failures, holder_address, reopened_until
   from card_proofs where organization_id = $1 and environment = $2 and gift_id = $3`,
);

/** Stores a new code, which ends the earlier one. Returns no row before a minute has passed, or after `most` in a day. */
export const storeCode = statement<
  [...One, sealedCode: string, now: Date, minuteAgo: Date, dayAgo: Date, most: number],
  { holder_address: string | null }
>(
  'proofs.store_code',
  `insert into card_proofs as p (organization_id, environment, gift_id, sealed_code, code_sent_at, codes_sent)
   select organization_id, environment, gift_id, $4, $5, 1 from gifts
   where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is not null and held_at is null
   for key share
   on conflict (organization_id, environment, gift_id) do update
   set sealed_code = $4, code_sent_at = $5, code_tries = 0,
     codes_sent = case when p.code_sent_at > $7 then p.codes_sent + 1 else 1 end
   where p.code_sent_at is null or p.code_sent_at <= $7 or (p.code_sent_at <= $6 and p.codes_sent < $8)
   returning holder_address`,
);

/** Counts an attempt before it is compared. Returns no row if the code is too old or has no attempts left. */
export const tryCode = statement<[...One, sentAfter: Date, mostTries: number], { sealed_code: string }>(
  'proofs.try_code',
  `update card_proofs set code_tries = code_tries + 1
   where organization_id = $1 and environment = $2 and gift_id = $3
     and sealed_code is not null and code_sent_at > $4 and code_tries < $5
   returning sealed_code`,
);

/**
 * Stores the PIN or the address of a claimed link gift, which replaces the earlier one, if the browser is still its holder. A
 * code that was sent to the earlier address ends.
 */
export const storeWayBack = statement<[...One, holderHash: Buffer, pin: Buffer | null, address: string | null]>(
  'proofs.store_way_back',
  `with gift as materialized (
     select organization_id, environment, gift_id from gifts
     where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is not null and holder_hash = $4
     for no key update
   )
   insert into card_proofs as p (organization_id, environment, gift_id, pin, holder_address)
   select organization_id, environment, gift_id, $5, $6 from gift
   on conflict (organization_id, environment, gift_id) do update set
     pin = coalesce(excluded.pin, p.pin),
     pin_tries = case when excluded.pin is null then p.pin_tries else 0 end,
     pin_tried_at = case when excluded.pin is null then p.pin_tried_at end,
     pin_failures = case when excluded.pin is null then p.pin_failures else 0 end,
     holder_address = coalesce(excluded.holder_address, p.holder_address),
     sealed_code = case when excluded.holder_address is null then p.sealed_code end`,
);

/** Counts an attempt before it is compared. Returns no row if there is no PIN, or too many attempts within the hour or ever. */
export const tryPin = statement<
  [...One, now: Date, hourAgo: Date, mostTries: number, mostFailures: number],
  { pin: Buffer }
>(
  'proofs.try_pin',
  `update card_proofs
   set pin_tries = case when pin_tried_at > $5 then pin_tries + 1 else 1 end, pin_tried_at = $4, pin_failures = pin_failures + 1
   where organization_id = $1 and environment = $2 and gift_id = $3
     and pin is not null and pin_failures < $7 and (pin_tried_at is null or pin_tried_at <= $5 or pin_tries < $6)
   returning pin`,
);

/** CTE `gift`: locks a claimed gift that is not on hold, before its proofs, as erasures do. */
const claimedGift = `gift as materialized (
     select organization_id, environment, gift_id from gifts
     where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is not null and held_at is null
     for no key update
   )`;

/**
 * Makes a browser the holder after a right code or PIN, which ends what an admin allowed. Returns no row if the code was just
 * used, or the gift is on hold.
 */
export const acceptProof = statement<[...One, holderHash: Buffer, sealedCode: string | null], { gift_id: string }>(
  'proofs.accept',
  `with ${claimedGift}, proof as (
     update card_proofs p set sealed_code = case when $5::text is null then p.sealed_code end,
       pin_tries = case when $5::text is null then 0 else p.pin_tries end,
       pin_failures = case when $5::text is null then greatest(0, p.pin_failures - 1) else p.pin_failures end, reopened_until = null
     from gift g
     where p.organization_id = $1 and p.environment = g.environment and p.gift_id = g.gift_id
       and ($5::text is null or p.sealed_code = $5)
     returning p.environment, p.gift_id
   )
   ${setHolder('$4', 'proof')}`,
);

/**
 * Makes a browser the holder, once, of a card that an admin lets another browser show. The PIN, the address and the code of
 * before end.
 * Returns no row if none may, or not any more.
 */
export const takeReopened = statement<[...One, holderHash: Buffer, now: Date], { gift_id: string }>(
  'proofs.take_reopened',
  `with ${claimedGift}, proof as (
     update card_proofs p set reopened_until = null, sealed_code = null, pin = null, pin_tries = 0, pin_tried_at = null,
       pin_failures = 0, holder_address = null
     from gift g
     where p.organization_id = $1 and p.environment = g.environment and p.gift_id = g.gift_id and p.reopened_until > $5
     returning p.environment, p.gift_id
   )
   ${setHolder('$4', 'proof')}`,
);

/** Lets another browser take a card until a time. Returns no row if the gift is not claimed, or on hold. */
export const reopenCard = statement<
  [...One, until: Date],
  {
    method: 'email' | 'phone' | 'link';
    address: string | null;
    holder_address: string | null;
    language: string | null;
    organization_language: string | null;
  }
>(
  'proofs.reopen_card',
  `with ${claimedGift}, proof as (
     insert into card_proofs (organization_id, environment, gift_id, reopened_until)
     select organization_id, environment, gift_id, $4 from gift
     on conflict (organization_id, environment, gift_id) do update set reopened_until = excluded.reopened_until
     returning environment, gift_id, holder_address
   )
   select g.method, g.address, p.holder_address, g.language, o.language as organization_language
   from proof p join gifts g on g.organization_id = $1 and g.environment = p.environment and g.gift_id = p.gift_id
   join organizations o on o.organization_id = g.organization_id
   where g.organization_id = $1`,
);

export const selectReopenable = statement<One, { is_claimed: boolean; is_held: boolean }>(
  'proofs.select_reopenable',
  `select claimed_at is not null as is_claimed, held_at is not null as is_held from gifts
   where organization_id = $1 and environment = $2 and gift_id = $3`,
);

/** Makes a browser the holder of a link gift that no browser has claimed. */
export const takeCard = statement<[...One, holderHash: Buffer], { gift_id: string }>(
  'proofs.take_card',
  `with gift as materialized (
     select environment, gift_id from gifts
     where organization_id = $1 and environment = $2 and gift_id = $3
       and method = 'link' and claimed_at is not null and holder_hash is null and held_at is null
       and not exists (
         select from card_proofs where organization_id = $1 and environment = $2 and gift_id = $3
           and (pin is not null or holder_address is not null))
     for no key update
   )
   ${setHolder('$4', 'gift')}`,
);
