import { lockBalance } from '../../core/balances/lock-balance.ts';
import { setWakingBalance } from '../../core/balances/mark-balance.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { recordEvent } from './actions.ts';
import { listCards } from './payment-methods.ts';
import { type RuleRow, selectRule, setRule, switchRuleOff } from './rule-queries.ts';

type RuleDeps = Pick<StripeDeps, 'clock' | 'config' | 'database' | 'ids' | 'publicUrl' | 'stripe'>;

interface Rule {
  thresholdCents: number;
  /** `fixed`: adds the amount; `target`: reaches it. */
  method: 'fixed' | 'target';
  amountCents: number;
  monthlyCapCents: number;
  paymentMethodId: string;
}

/** @param organizationId UUID */
export async function findRule(
  deps: Pick<StripeDeps, 'database'>,
  organizationId: string,
): Promise<RuleRow | undefined> {
  return (await selectRule(deps.database.pool, [organizationId]))[0];
}

/** Sets the rule and switches it on; null switches it off. @throws OperatorError if the rule cannot work */
export async function setAutomaticTopup(
  deps: RuleDeps,
  { organizationId, rule, actor }: { organizationId: string; rule: Rule | null; actor: Actor },
): Promise<void> {
  const card = rule === null ? undefined : await cardOf(deps, organizationId, rule);
  await inOrganization(deps.database, organizationId, async (client) => {
    // Before the rule, as payments do.
    await lockBalance(client, organizationId, 'live');
    if (rule === null) {
      if ((await switchRuleOff(client, [organizationId, null])).length === 0) return;
    } else
      await setRule(client, [
        organizationId,
        rule.thresholdCents,
        rule.method,
        rule.amountCents,
        rule.monthlyCapCents,
        rule.paymentMethodId,
        card ?? '',
      ]);
    await setWakingBalance(client, organizationId, rule?.thresholdCents ?? null);
    await recordEvent(client, deps, actor, {
      organizationId,
      environment: 'live',
      action: 'automatic_topup.set',
      details: {
        threshold_cents: rule?.thresholdCents ?? null,
        amount_cents: rule?.amountCents ?? null,
        monthly_cap_cents: rule?.monthlyCapCents ?? null,
      },
    });
  });
}

async function cardOf(deps: RuleDeps, organizationId: string, rule: Rule): Promise<string> {
  if (rule.method === 'target' && rule.amountCents <= rule.thresholdCents)
    throw new OperatorError('The balance to reach must be above the balance that starts a top-up.');
  if (rule.method === 'fixed' && rule.amountCents > rule.monthlyCapCents)
    throw new OperatorError('The amount must be within the monthly cap.');
  const cards = await listCards(deps, organizationId);
  const saved = cards.find(({ payment_method_id }) => payment_method_id === rule.paymentMethodId);
  if (saved === undefined) throw new OperatorError('Choose a saved card.');
  return saved.card;
}
