import type { PlaceDeps } from '../../core/orders/place-order.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import { planGifts } from './plan-gifts.ts';
import { workOnGift } from './work-on-gift.ts';
import { selectGiftsToDo, selectRulesToRun } from './work-queries.ts';

/** In one run; the next minute goes on. An order takes some 10 ms. */
const MOST_GIFTS = 500;

/**
 * Plans the next week of each rule, then sends or asks for what is due. A failure stops no other gift.
 *
 * @throws the error, or an AggregateError of several; the next minute tries again
 */
export async function sendYearlyGifts(deps: PlaceDeps & Parameters<typeof workOnGift>[0]): Promise<void> {
  const errors: unknown[] = [];
  const attempt = (act: Promise<void>) => act.catch((error: unknown) => errors.push(error));
  const { shards } = deps.database;
  for (const rule of await selectRulesToRun(shards, [new Date(deps.clock.now())])) await attempt(planGifts(deps, rule));
  const toDo = await selectGiftsToDo(shards, [new Date(deps.clock.now()), MOST_GIFTS]);
  for (const gift of toDo) await attempt(workOnGift(deps, gift));
  if (errors.length > 1) throw new AggregateError(errors, errors.map(errorMessage).join('; '));
  if (errors.length === 1) throw errors[0];
}
