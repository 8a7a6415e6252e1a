import { Type } from 'typebox';
import { decodeId, idPattern } from '../../../platform/base/ids.ts';
import {
  choice,
  createdQuery,
  hasAtMost,
  invalid,
  readChoice,
  readCreated,
  readText,
  readTimeParameter,
  text,
  time,
} from '../../../platform/paging/list-filters.ts';
import { EMAIL_MAX_LENGTH } from '../gift/address-patterns.ts';
import { readAddress } from '../gift/read-address.ts';
import { MAX_METADATA_VALUE, METADATA_KEY, type Metadata } from '../gift/reference-schema.ts';
import { type GiftHistoryState, giftStates } from '../gift/state.ts';
import type { GiftFilters } from './filter-gifts.ts';
import { giftTimes, type TimeFilters } from './statement-parts.ts';

const MOST_PAIRS = 20;

const methods = ['email', 'phone', 'link'] as const;
const statuses = ['sent', 'failed', 'opened', 'claimed', 'canceled', 'scheduled'] as const;

/** A parameter that `readRecipient` reads, for the document. */
export const recipientQuery = (description: string) =>
  text(description, { maxLength: EMAIL_MAX_LENGTH, pattern: '^([^@\\s]+@[^@\\s]+|\\+[0-9 \\(\\)\\-]+)$' });

const states = Object.keys(giftStates) as GiftHistoryState[];

const timeQuery = Object.fromEntries(
  (['ordered', ...giftTimes] as const).flatMap((what) =>
    (['after', 'before'] as const).map((when) => [
      `${what}_${when}`,
      time(`Only gifts ${what} ${when === 'after' ? 'later' : 'earlier'} than this time (RFC 3339).`),
    ]),
  ),
);

/** What the lists of orders and of gifts have in common, for the document. */
export const giftFilterQuery = {
  ...createdQuery,
  ...timeQuery,
  state: choice(states, 'Only gifts with this `state` of their `history`.'),
  delivery_method: choice(methods, 'Only gifts with this method.'),
  recipient: recipientQuery('Only gifts to this email address or phone number, in any spelling that an order takes.'),
  category: text('Only gifts of this category.'),
  external_id: text('Only this `external_id`.'),
  metadata: Type.Optional(
    Type.Unsafe<Metadata>({
      type: 'object',
      maxProperties: MOST_PAIRS,
      additionalProperties: { type: 'string', maxLength: MAX_METADATA_VALUE },
      description: 'As `metadata[key]=value`: only those with this pair. It can be repeated with other keys.',
    }),
  ),
};

export const giftQuery = {
  ...giftFilterQuery,
  status: choice(
    statuses,
    'Only gifts with this `delivery.status` that were not canceled and do not wait to be sent; `canceled` and `scheduled`: only those that were, or do.',
  ),
  order_id: text('Only the gifts of this order.', { pattern: idPattern('ord') }),
};

type Query = Readonly<Record<string, unknown>>;

const RECIPIENT_RULE =
  'must be an email address, or a phone number in international format with %2B for its plus sign.';

/** Reads an address as it is compared, in lower case. @throws BestowError `parameter_invalid` */
export function readRecipient(query: Query): string | undefined {
  const value = readText(query, 'recipient', RECIPIENT_RULE, (one) => readAddress(one) !== undefined);
  return value === undefined ? undefined : readAddress(value);
}

const KEY = new RegExp(METADATA_KEY);

function readMetadata(query: Query): Metadata | undefined {
  const params = Object.keys(query).filter((param) => param.startsWith('metadata['));
  if (params.length === 0) return undefined;
  const [first = ''] = params;
  if (params.length > MOST_PAIRS) throw invalid(first, `metadata can have at most ${MOST_PAIRS} keys.`);
  return Object.fromEntries(
    params.map((param) => {
      const key = /^metadata\[(.*)\]$/s.exec(param)?.[1] ?? '';
      const value = query[param];
      if (KEY.test(key) && typeof value === 'string' && hasAtMost(MAX_METADATA_VALUE, value) && !value.includes('\0'))
        return [key, value];
      throw invalid(param.slice(0, 60), 'Filter metadata as metadata[key]=value, with a key of 1 to 40 characters.');
    }),
  );
}

/** Orders are placed when they are created: the range of both. */
function readRange(query: Query) {
  const created = readCreated(query);
  const ordered = readCreated(query, 'ordered');
  const isLater = (one: Date | undefined, other: Date | undefined) => other === undefined || (one ?? other) > other;
  return {
    from: isLater(created.from, ordered.from) ? created.from : ordered.from,
    to: isLater(created.to, ordered.to) ? (ordered.to ?? created.to) : (created.to ?? ordered.to),
  };
}

function readTimes(query: Query): TimeFilters | undefined {
  const names = giftTimes.flatMap((what) => [`${what}_after`, `${what}_before`] as const);
  const times = names.map((name) => [name, readTimeParameter(query, name)] as const).filter(([, value]) => value);
  return times.length === 0 ? undefined : Object.fromEntries(times);
}

/** The filters of both lists, with the page's time range. @throws BestowError `parameter_invalid` */
export const readGiftFilters = (query: Query): GiftFilters & { from: Date | undefined; to: Date | undefined } => ({
  ...readRange(query),
  state: readChoice(query, 'state', states),
  times: readTimes(query),
  method: readChoice(query, 'delivery_method', methods),
  recipient: readRecipient(query),
  category: readText(query, 'category'),
  externalId: readText(query, 'external_id'),
  metadata: readMetadata(query),
});

/** Returns undefined if there is no filter. @throws BestowError `parameter_invalid` */
export function readFiltersOfGifts(query: Query) {
  const order = readText(query, 'order_id', 'must be the id of an order.', (one) => decodeId('ord', one) !== undefined);
  return ifAny({
    ...readGiftFilters(query),
    status: readChoice(query, 'status', statuses),
    orderId: order === undefined ? undefined : decodeId('ord', order),
  });
}

/** Returns undefined if every filter is undefined. */
export const ifAny = <Filters extends object>(filters: Filters): Filters | undefined =>
  Object.values(filters).some((value) => value !== undefined) ? filters : undefined;
