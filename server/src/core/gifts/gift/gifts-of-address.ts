import { foldAddress } from '../../../platform/database/folding.ts';

/**
 * CTEs of the gifts of `$1` that concern the address `$2` (in lower case): `held`, whose holder entered it, and `found`, these
 * and all that are or were sent to it. A person is told of the same gifts that an erasure changes.
 */
export const giftsOfAddress = `held as (
     select environment, gift_id from card_proofs where organization_id = $1 and ${foldAddress('holder_address')} = $2
     union
     select environment, gift_id from cards where organization_id = $1 and ${foldAddress('holder_address')} = $2
   ), found as (
     select environment, gift_id from gifts where organization_id = $1 and ${foldAddress('address')} = $2
     union
     select environment, gift_id from deliveries where organization_id = $1 and ${foldAddress('address')} = $2
     union
     select environment, gift_id from held
   )`;

/** Condition: the gift `g` is at the address, or its holder entered it. Otherwise it was sent elsewhere since. */
export const isTheirs = `(coalesce(${foldAddress('g.address')} = $2, false)
       or (g.environment, g.gift_id) in (select environment, gift_id from held))`;
