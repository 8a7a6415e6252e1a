import type { Static } from 'typebox';
import { EXPANSIONS, readExpand } from '../../core/gifts/expand/expand-query.ts';
import type { GiftExpansion } from '../../core/gifts/gift/expansion-schema.ts';
import { closestOf } from '../../platform/base/closest.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { eventTypes } from '../../platform/events/event-types.ts';
import type { EventQuery } from './schema.ts';

export interface FeedRequest {
  /** Undefined: from the first event that is still held. */
  after: number | undefined;
  limit: number;
  /** Undefined: all. */
  types: string[] | undefined;
  waitMs: number;
  /** With the order or gift of each event. */
  isExpanded: boolean;
  /** What these have more than usual. */
  parts: ReadonlySet<GiftExpansion>;
}

const MAX_EXPANDED = 100;

const invalid = (param: string, message: string) => new BestowError('parameter_invalid', { param, message });

/**
 * Reads the query strictly; ignores unknown parameters.
 *
 * @throws BestowError `parameter_invalid`
 */
export function parseFeedRequest(query: unknown): FeedRequest {
  const { after, limit, types, wait, expand } = query as Record<keyof Static<typeof EventQuery>, unknown>;
  const { isExpanded, parts } = parseExpand(expand);
  const maxLimit = isExpanded ? MAX_EXPANDED : 1_000;
  return {
    after: after === undefined ? undefined : parseNumber('after', after, 0, Number.MAX_SAFE_INTEGER),
    limit: limit === undefined ? 100 : parseNumber('limit', limit, 1, maxLimit, isExpanded ? ' with expand' : ''),
    types: types === undefined ? undefined : parseTypes(types),
    waitMs: wait === undefined ? 0 : parseNumber('wait', wait, 0, 30) * 1_000,
    isExpanded,
    parts,
  };
}

function parseNumber(param: string, value: unknown, lowest: number, highest: number, when = ''): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= lowest && number <= highest) return number;
  const range = highest === Number.MAX_SAFE_INTEGER ? 'the sequence of an event, or 0' : `from ${lowest} to ${highest}`;
  throw invalid(param, `${param} must be one whole number${when}, ${range}.`);
}

const EXPAND_RULE = `must be resource; behind it, separated by commas, may stand ${EXPANSIONS}.`;

/** `resource`, and after it what an order or gift can have. */
function parseExpand(value: unknown): Pick<FeedRequest, 'isExpanded' | 'parts'> {
  if (value === undefined) return { isExpanded: false, parts: new Set() };
  const [first, ...parts] = typeof value === 'string' ? value.split(',') : [];
  if (first !== 'resource') throw invalid('expand', `expand ${EXPAND_RULE}`);
  return {
    isExpanded: true,
    parts: parts.length === 0 ? new Set() : readExpand({ expand: parts.join(',') }, EXPAND_RULE),
  };
}

/** An answer repeats only the beginning of a long text. */
function unknownType(given: string): string {
  const known = Object.keys(eventTypes);
  const [subject] = given.split('.', 1);
  const closest = closestOf(given, known);
  const near = closest === undefined ? known.filter((type) => type.startsWith(`${subject}.`)) : [closest];
  const shown = given.replace(/[\p{C}\p{Z}]/gu, ' ').slice(0, 64);
  return `There is no type ${shown}. ${near.length > 0 ? 'Near' : 'Known'} are ${(near.length > 0 ? near : known).join(', ')}.`;
}

function parseTypes(value: unknown): string[] {
  const types = typeof value === 'string' ? value.split(',') : [];
  const unknown = types.find((type) => !Object.hasOwn(eventTypes, type));
  if (types.length > 0 && unknown === undefined) return types;
  const rule = 'types must be known types of events, separated by commas, such as gift.opened,gift.claimed.';
  throw invalid('types', unknown ? `${rule} ${unknownType(unknown)}` : rule);
}
