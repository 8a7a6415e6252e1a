import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { notifyOfTopup } from './notify-of-topup.ts';
import * as queries from './queries.ts';
import { countFailure, switchRuleOff } from './rule-queries.ts';

const MOST_FAILURES = 2;
const RETRY_MS = 86_400_000;

/**
 * Ends the attempt of an automatic top-up, once: if the bank asks for the card holder, it waits for a person, who gets a
 * mail; otherwise it failed, and after the second failure the rule is switched off.
 */
export async function recordFailure(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  { organization_id, topup_id, amount_cents, state }: queries.TopupRow,
  { code, message }: { code: string; message: string },
): Promise<void> {
  if (state !== 'pending' && state !== 'processing') return;
  if (code === 'authentication_required') {
    await queries.setState(client, [organization_id, topup_id, 'action_required', message]);
    await notifyOfTopup(client, deps, organization_id, { event: 'bank_asks', amount_cents });
    return;
  }
  await queries.setState(client, [organization_id, topup_id, 'failed', message]);
  await endAttempt(client, deps, organization_id, amount_cents);
}

/** Counts a failure; the second one after another switches the rule off. */
async function endAttempt(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  organizationId: string,
  amountCents: number,
): Promise<void> {
  const [rule] = await countFailure(client, [organizationId, new Date(deps.clock.now() + RETRY_MS)]);
  if (rule === undefined) return;
  const isOff = rule.failures >= MOST_FAILURES;
  if (isOff) await switchRuleOff(client, [organizationId, 'failures']);
  await notifyOfTopup(client, deps, organizationId, {
    event: isOff ? 'switched_off' : 'failed',
    amount_cents: amountCents,
    card: rule.card,
  });
}
