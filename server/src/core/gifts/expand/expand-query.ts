import { Type } from 'typebox';
import { invalid, readText } from '../../../platform/paging/list-filters.ts';
import { type GiftExpansion, giftExpansions } from '../gift/expansion-schema.ts';

const names = Object.keys(giftExpansions) as GiftExpansion[];
const name = `(${names.join('|')})`;

/** The parameter that `readExpand` reads, for the document. */
export const expandQuery = {
  expand: Type.Optional(
    Type.String({
      pattern: `^${name}(,${name})*$`,
      description:
        'Adds these parts to every gift of the answer, separated by commas: `order`, `history`, `deliveries`, `card`. An order gets `history`, too.',
      examples: ['history'],
    }),
  ),
};

/** Returns what an answer has more than usual. @param rule what the error says @throws BestowError `parameter_invalid` */
export function readExpand(query: unknown, rule = RULE): ReadonlySet<GiftExpansion> {
  const value = readText(query as Record<string, unknown>, 'expand', rule);
  const asked = value?.split(',') ?? [];
  const unknown = asked.find((one) => !names.some((known) => known === one));
  if (unknown !== undefined) throw invalid('expand', `expand ${rule}`);
  return new Set(asked as GiftExpansion[]);
}

/** What can be asked for. */
export const EXPANSIONS = names.join(', ');

const RULE = `must be one or more of ${EXPANSIONS}, separated by commas.`;
