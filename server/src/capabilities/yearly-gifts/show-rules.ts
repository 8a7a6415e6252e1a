import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { yearIn } from './days.ts';
import { type OneRule, type RuleRow, selectRules } from './queries.ts';
import type { YearlyRule } from './schema.ts';

type Clocked = Pick<Deps, 'clock'>;

/** The rules of an environment by their names. */
export const listRules = async (
  deps: Pick<Deps, 'clock' | 'database'>,
  { organizationId, environment }: Scope,
): Promise<YearlyRule[]> =>
  (await selectRules(deps.database.pool, [organizationId, environment, null])).map((row) => presentRule(deps, row));

/** @throws BestowError `resource_missing` */
export async function requireRule(deps: Clocked, client: Queryable, one: OneRule): Promise<YearlyRule> {
  const [row] = await selectRules(client, one);
  if (row === undefined) throw new BestowError('resource_missing');
  return presentRule(deps, row);
}

const presentRule = (
  { clock }: Clocked,
  { rule_id, template_id, yearly_limit_cents, spent_year, spent_cents, amount_cents, may_change, ...row }: RuleRow,
): YearlyRule => ({
  ...row,
  rule_id: encodeId('rule', rule_id),
  template_id: encodeId('tpl', template_id),
  yearly_limit: yearly_limit_cents,
  amount: amount_cents,
  spent_this_year: spent_year === yearIn(row.time_zone, clock.now()) ? spent_cents : 0,
  is_held: !may_change,
});
