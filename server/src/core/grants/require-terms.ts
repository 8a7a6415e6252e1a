import { OperatorError } from '../../platform/base/operator-error.ts';
import { requireCapAmounts } from '../caps/change-caps.ts';
import { listCategories } from '../catalog/list-categories.ts';
import type { Deps } from '../deps.ts';
import type { GrantLimits, GrantTerms } from './grant.ts';

/** In lower case, with a dot: a domain as recipients' addresses have it. */
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MOST = 100;

/** @throws OperatorError if a domain or category cannot be, or two rules about recipients contradict one another */
export async function requireTerms(deps: Pick<Deps, 'database'>, terms: GrantTerms): Promise<void> {
  const { recipient_domains: domains, members_only, categories } = terms;
  if (domains !== null && members_only) throw new OperatorError('Choose either domains of recipients or members only.');
  requireCount('recipient domains', domains);
  requireCount('categories', categories);
  for (const domain of domains ?? [])
    if (!DOMAIN.test(domain)) throw new OperatorError(`“${domain}” is not a domain. Write it like example.com.`);
  if (categories === null) return;
  const known = (await listCategories(deps)).map(({ category_id }) => category_id);
  const unknown = categories.find((category) => !known.includes(category));
  if (unknown !== undefined)
    throw new OperatorError(`There is no category ${unknown}. The categories are: ${known.join(', ') || 'none'}.`);
}

/** @throws OperatorError if an amount is out of bounds */
export function requireLimits({ ask_above, ...amounts }: Partial<GrantLimits>): void {
  requireCapAmounts(amounts);
  if (ask_above != null && !(Number.isSafeInteger(ask_above) && ask_above >= 0))
    throw new OperatorError(
      `The amount to ask above must be a whole number of cents from 0 to ${Number.MAX_SAFE_INTEGER}.`,
    );
}

function requireCount(what: string, list: readonly string[] | null): void {
  if (list !== null && (list.length === 0 || list.length > MOST))
    throw new OperatorError(`Name 1 to ${MOST} ${what}, or none for any.`);
}
