import type { Deps } from '../../core/deps.ts';
import { readTypedAddress } from '../../core/gifts/gift/read-address.ts';
import { tokenIn } from '../../core/links/links.ts';
import { decodeId, type IdPrefix } from '../../platform/base/ids.ts';
import { giftsOfCode } from './gifts-of-code.ts';
import { giftsOfRequest } from './gifts-of-request.ts';
import * as queries from './queries.ts';

export type SearchDeps = Pick<Deps, 'cipher' | 'clock' | 'database' | 'ids' | 'links'>;

interface Search {
  /** As `Kind.read` returned it. */
  value: string;
  limit: number;
  /** Fails if a shard does not answer; otherwise its gifts are missing. */
  isComplete: boolean;
}

/** One thing that a gift can be found by. */
interface Kind {
  /** As people call it. */
  name: string;
  /** It identifies a person, so that a look by it is audited. */
  isPersonal?: true;
  /** Returns what its statement compares, or undefined if the text cannot be of this kind. */
  read(text: string, deps: SearchDeps): string | undefined;
  find(deps: SearchDeps, search: Search): Promise<queries.FoundGiftRow[]>;
}

const onEachShard =
  (select: typeof queries.selectById): Kind['find'] =>
  ({ database }, { value, limit, isComplete }) =>
    (isComplete ? select : select.ofLiving)(database.shards, [value, limit]);

const idOf = (prefix: IdPrefix) => (text: string) => decodeId(prefix, text.toLowerCase());

/** Longer than any text that a caller may give as an id. */
const MAX_CHARACTERS = 255;
const asGiven = (text: string) => (text.length <= MAX_CHARACTERS && !text.includes('\0') ? text : undefined);

/** A link, or its part after `/g/`. It may have ended. */
const giftOfLink: Kind['read'] = (text, { links }) =>
  links.read(tokenIn(text.slice(text.lastIndexOf('/') + 1)))?.giftId;

/** A text can be of several kinds: an external id may look like an address. A gift is listed by the first that finds it. */
export const kinds: readonly Kind[] = [
  { name: 'gift', read: idOf('gift'), find: onEachShard(queries.selectById) },
  { name: 'order', read: idOf('ord'), find: onEachShard(queries.selectByOrder) },
  { name: 'card', read: idOf('card'), find: onEachShard(queries.selectByCard) },
  { name: 'request', read: (text) => (idOf('req')(text) ? text : undefined), find: giftsOfRequest },
  { name: 'link', read: giftOfLink, find: onEachShard(queries.selectById) },
  { name: 'address', isPersonal: true, read: readTypedAddress, find: onEachShard(queries.selectByAddress) },
  { name: 'issuer’s card', read: asGiven, find: onEachShard(queries.selectByIssuerCard) },
  { name: 'code', read: asGiven, find: giftsOfCode },
  { name: 'external id', read: asGiven, find: onEachShard(queries.selectByExternalId) },
  { name: 'order’s external id', read: asGiven, find: onEachShard(queries.selectByOrderExternalId) },
  { name: 'idempotency key', read: asGiven, find: onEachShard(queries.selectByIdempotencyKey) },
];
