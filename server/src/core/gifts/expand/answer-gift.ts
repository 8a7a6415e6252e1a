import { OutcomeUnknown } from '../../../platform/base/outcome-unknown.ts';
import type { Deps } from '../../deps.ts';
import type { GiftExpansion } from '../gift/expansion-schema.ts';
import { presentGift, type Viewer } from '../gift/present-gift.ts';
import type { GiftRow } from '../gift/queries.ts';
import type { GiftBody } from '../gift/schema.ts';
import { type ExpandDeps, expandGifts } from './expand-gifts.ts';

/** Presents a gift that was just read, with what the request asks for. */
export async function answerGift(
  deps: ExpandDeps & Pick<Deps, 'links'>,
  viewer: Viewer,
  expand: ReadonlySet<GiftExpansion>,
  gift: GiftRow,
): Promise<GiftBody> {
  const shown = presentGift(deps.links, viewer, gift);
  const [expanded = shown] = await expandGifts(deps, viewer, expand, [shown]);
  return expanded;
}

/**
 * Awaits what an answer shows of a change that is made.
 *
 * @throws OutcomeUnknown if it cannot be read: an error would mean that nothing happened
 */
export async function afterChange<Answer>(reading: Promise<Answer>): Promise<Answer> {
  try {
    return await reading;
  } catch (cause) {
    throw new OutcomeUnknown('A change was made, but what its answer shows could not be read.', { cause });
  }
}
