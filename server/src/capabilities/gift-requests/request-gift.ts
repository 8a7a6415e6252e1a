import type { Deps } from '../../core/deps.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import type { MemberBuyer } from '../../core/orders/buyer.ts';
import { previewGift } from '../../core/orders/preview-gift.ts';
import { listAdminAddresses } from '../../core/organizations/list-admin-addresses.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import { destination, isImpossibleLiveAddress } from '../../platform/base/destination.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { insertRequest, selectRequestOfForm } from './queries.ts';

/** Of one member, so that they cannot fill the admins' list and mailboxes. */
const MOST_OPEN = 100;
/** Of one member whose rules ask: every contact may have its day in one week. */
const MOST_YEARLY = 50_000;

type RequestDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'publicUrl' | 'tracer'>;

interface NewRequest {
  formId: string;
  gift: GiftInputBody;
  actor: MemberBuyer['member'];
  organizationName: string;
  /** Whether a rule of yearly gifts asks. One mail tells of all its gifts of a day, so there is none of each. */
  isYearly?: true;
}

/**
 * Asks the admins for a gift, and emails them. No money moves. The same form asks once.
 *
 * @returns the request's UUID
 * @throws BestowError `parameter_invalid`, or `refused` if too many requests of the member are open
 */
export async function requestGift(
  deps: RequestDeps,
  scope: Scope,
  { formId, gift, actor, organizationName, isYearly }: NewRequest,
): Promise<string> {
  await requireValid(deps, scope, organizationName, gift);
  const { organizationId, environment } = scope;
  const owner = [organizationId, environment] as const;
  const requestId = deps.ids.next();
  return inOrganization(deps.database, organizationId, async (client) => {
    const target = encodeId('ask', requestId);
    const { address } = destination(gift.delivery);
    const [created] = await insertRequest(client, [
      ...owner,
      requestId,
      formId,
      target,
      actor.memberId,
      gift.amount,
      gift.category,
      JSON.stringify(gift),
      address,
      new Date(deps.clock.now()),
      isYearly ? MOST_YEARLY : MOST_OPEN,
    ]);
    if (created === undefined) {
      const [earlier] = await selectRequestOfForm(client, [...owner, formId, actor.memberId]);
      if (earlier !== undefined) return earlier.request_id;
      const message = `${MOST_OPEN} of your requests are open. Wait for an admin, or withdraw some.`;
      throw new BestowError('refused', { message });
    }
    const details = { amount_cents: gift.amount };
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target,
      action: 'gift_request.created',
      details,
    });
    if (isYearly) return requestId;
    await queueNotices(client, deps, {
      organizationId,
      recipients: await listAdminAddresses(client, organizationId),
      notice: {
        kind: 'gift_requested',
        details: {
          organization_name: organizationName,
          organization_id: encodeId('org', organizationId),
          environment,
          request_id: target,
          amount_cents: gift.amount,
          by: actor.email,
        },
      },
    });
    return requestId;
  });
}

/** The checks that need the catalog and the clock; the schema has made the others. */
async function requireValid(deps: RequestDeps, scope: Scope, organizationName: string, gift: GiftInputBody) {
  const { delivery, amount, category, personalization, language, send_at } = gift;
  const { sandboxMailDomain } = deps.config;
  if (isImpossibleLiveAddress(scope.environment, sandboxMailDomain, destination(delivery)))
    throw new BestowError('parameter_invalid', {
      param: 'email',
      message: `email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`,
    });
  const draft = { method: delivery.method, amount, category, ...personalization, language, send_at };
  await previewGift(deps, scope, organizationName, draft);
}
