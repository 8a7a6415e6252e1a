import { type Static, Type } from 'typebox';
import { BestowError } from '../base/errors.ts';
import type { PageRequest } from './read-page.ts';

const cursor = (direction: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      minLength: 1,
      description: `An id of this list: the page holds what comes ${direction} it. Not together with the other cursor.`,
    }),
  );

/** The query of a list of `/v1`, for the document; `parsePageRequest` reads the query. */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'How many a page has, 1 to 100.' }),
  ),
  starting_after: cursor('after (older than)'),
  ending_before: cursor('before (newer than)'),
});

/** Only in a page of a filtered list whose search stopped before the page was full. */
export const nextCursor = Type.Optional(
  Type.String({
    description:
      'Only if a filtered search paused before the page was full: continue with this id instead of the last item’s, in the same parameter.',
  }),
);

const names = { after: 'starting_after', before: 'ending_before' };

const invalid = (param: string, message: string) => new BestowError('parameter_invalid', { param, message });

/**
 * Reads the query strictly; ignores unknown parameters.
 *
 * @throws BestowError `parameter_invalid`
 */
export function parsePageRequest(query: unknown): PageRequest {
  const { limit, starting_after, ending_before } = query as Record<keyof Static<typeof PageQuery>, unknown>;
  if (limit !== undefined && !(typeof limit === 'string' && /^(?:[1-9][0-9]?|100)$/.test(limit)))
    throw invalid('limit', 'limit must be one whole number from 1 to 100.');
  const after = parseCursor('starting_after', starting_after);
  const before = parseCursor('ending_before', ending_before);
  if (after !== undefined && before !== undefined)
    throw invalid('ending_before', 'Send either starting_after or ending_before, not both.');
  return { limit: limit === undefined ? 10 : Number(limit), after, before, names };
}

function parseCursor(param: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value)) return value;
  throw invalid(param, `${param} must be one id of this list: letters, digits, _ and - only.`);
}
