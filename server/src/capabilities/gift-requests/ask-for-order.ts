import type { PoolClient } from 'pg';
import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import { capRefusal } from '../../core/caps/cap-refusal.ts';
import { letOrdersSee } from '../../core/caps/change-caps.ts';
import type { Deps } from '../../core/deps.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import { previewOrder } from '../../core/orders/preview-order.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { insertAsked } from './agent-queries.ts';
import { selectDeciders } from './approval-queries.ts';

/** Of one grant, so that an agent cannot fill the admins' list and mailboxes. */
const MOST_OPEN = 100;

interface NewRequest {
  /** The preview's token: the order's idempotency key. */
  orderKey: string;
  order: OrderInputBody;
}

/**
 * Asks the admins for an agent's order if its amount is above that of the grant, and emails them. No money moves. The same
 * token asks once. When this returns, the order is placed only by an approval. Does nothing for an order that needs none.
 *
 * @throws BestowError those of `previewOrder`, and of a cap below its amount; `not_granted` if too many requests of the grant wait
 */
export async function askForOrder(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>,
  caller: KeyCaller,
  { orderKey, order }: NewRequest,
): Promise<void> {
  // Balance and what was spent decide when it is approved. An order above a cap could never be placed.
  const { amountCents, caps } = await previewOrder(deps, caller, order);
  const tooLow = caps.find(({ amount_cents, cap_cents }) => amount_cents > cap_cents);
  if (tooLow !== undefined) throw capRefusal('order', tooLow, deps.config.currency, true);
  const { organizationId, environment } = caller;
  const ask = async (client: PoolClient) => {
    const { lastId } = await waitForOrders(client, caller);
    const requestId = deps.ids.next();
    const [row] = await insertAsked(client, [
      ...parametersOf(caller),
      requestId,
      orderKey,
      amountCents,
      JSON.stringify(order),
      new Date(deps.clock.now()),
      MOST_OPEN,
    ]);
    requireAdmitted(caller, row);
    if (row.is_full) throw new BestowError('not_granted', { message: FULL });
    if (row.request_id === null) return;
    await letOrdersSee(client, deps, caller, lastId);
    const ids = { organization_id: encodeId('org', organizationId), request_id: encodeId('ask', requestId) };
    await queueNotices(client, deps, {
      organizationId,
      recipients: (await selectDeciders(client, [organizationId, environment, requestId])).map(({ email }) => email),
      notice: {
        kind: 'gift_requested',
        details: {
          organization_name: row.organization_name,
          ...ids,
          environment,
          amount_cents: amountCents,
          by: row.agent_name,
          is_agent: true,
          gifts: order.gifts.length,
        },
      },
    });
  };
  await inOrganization(deps.database, organizationId, ask, { lockWaitMs: LOCK_TIMEOUT_MS });
}

const FULL = `${MOST_OPEN} orders of this agent wait for an admin. Nothing was ordered. Ask a person to decide about some of them first.`;
