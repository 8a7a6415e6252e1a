import {
  approveRequest,
  declineRequest,
  withdrawRequest,
} from '../../src/capabilities/gift-requests/decide-request.ts';
import { moveRequest } from '../../src/capabilities/gift-requests/move-request.ts';
import { claimRequest } from '../../src/capabilities/gift-requests/queries.ts';
import { requestGift } from '../../src/capabilities/gift-requests/request-gift.ts';
import { setApprovalRule } from '../../src/core/approvals/approval-rules.ts';
import type { GiftInputBody } from '../../src/core/gifts/gift/schema.ts';
import { memberBuyer } from '../../src/core/orders/buyer.ts';
import { placeOrder } from '../../src/core/orders/place-order.ts';
import { addMember } from '../../src/core/organizations/add-member.ts';
import { setRequestPolicy } from '../../src/core/organizations/set-request-policy.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId, encodeId } from '../../src/platform/base/ids.ts';
import { inOrganization } from '../../src/platform/database/in-organization.ts';
import { LOWEST } from '../../src/platform/paging/read-page.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

type MemberActor = Extract<Actor, { kind: 'member' }>;

const scopeOf = ({ organizationUuid: organizationId }: TestOrganization) =>
  ({ organizationId, environment: 'sandbox' }) as const;
const gift = { amount: 2500, category: 'coffee', delivery: { method: 'link' } } as const;

/** Asks for a gift as this person; returns the request's id. */
async function ask(
  deps: AllDeps,
  organization: TestOrganization,
  actor: Actor,
  delivery: GiftInputBody['delivery'] = gift.delivery,
): Promise<string> {
  const asked = {
    formId: deps.ids.next(),
    gift: { ...gift, delivery },
    actor: actor as MemberActor,
    organizationName: 'Acme',
  };
  return encodeId('ask', await requestGift(deps, scopeOf(organization), asked));
}

const asAdmin = ({ memberId }: TestOrganization): MemberActor => ({
  kind: 'member',
  email: 'admin@example.com',
  address: '::1',
  memberId: decodeId('mem', memberId) ?? '',
});

const decided = (
  act: (
    deps: AllDeps,
    scope: ReturnType<typeof scopeOf>,
    decision: Parameters<typeof approveRequest>[2],
  ) => Promise<void>,
  sentence: string,
): AuditedAct => ({
  prepare: (deps, organization) => ask(deps, organization, asAdmin(organization)),
  act: (deps, organization, actor, id) =>
    act(deps, scopeOf(organization), {
      requestId: decodeId('ask', id) ?? '',
      actor: actor as MemberActor,
      organizationName: 'Acme',
    }),
  target: 'prepared',
  only: 'member',
  environment: 'sandbox',
  sentence,
});

type Name =
  | `gift_request.${'created' | 'approved_first' | 'approved' | 'declined' | 'moved' | 'withdrawn'}`
  | 'gift_request_policy.set';

/** Gifts that members ask for. */
export const auditedRequestActs: Record<Name, AuditedAct> = {
  'gift_request_policy.set': {
    act: (deps, { organizationUuid: organizationId }, actor) =>
      setRequestPolicy(deps, { organizationId, isAllowed: true, actor }),
    target: null,
    environment: null,
    sentence: 'Let members ask for gifts',
  },
  'gift_request.created': {
    act: (deps, organization, actor) => ask(deps, organization, actor),
    target: 'ask_',
    isRepeatable: true,
    only: 'member',
    environment: 'sandbox',
    sentence: 'Asked for a gift of 25.00 USD',
  },
  'gift_request.approved_first': {
    ...decided(approveRequest, 'Approved a request for a gift of 25.00 USD, which waits for another approval'),
    // Of another member, who needs two.
    async prepare(deps, organization) {
      const { organizationUuid: organizationId, memberId } = organization;
      const [asker, approver] = await Promise.all(
        (['sender', 'approver'] as const).map((role) =>
          addMember(deps, {
            organizationId: organization.organizationId,
            email: `${role}@example.com`,
            role,
            actor: OPERATOR,
          }),
        ),
      );
      const rule = { member_id: null, above: 0, approvals: 2, approvers: [memberId, approver?.member_id ?? ''] };
      await setApprovalRule(deps, { ...rule, organizationId, actor: OPERATOR });
      const memberUuid = decodeId('mem', asker?.member_id ?? '') ?? '';
      return ask(deps, organization, { ...asAdmin(organization), memberId: memberUuid });
    },
  },
  'gift_request.approved': {
    ...decided(approveRequest, 'Approved a request for a gift of 25.00 USD'),
    // With the order of an approval that a crash kept from being noted, because the order has its own event.
    async prepare(deps, organization) {
      const [scope, admin] = [scopeOf(organization), asAdmin(organization)];
      const id = await ask(deps, organization, admin);
      const { organizationId, environment } = scope;
      const one = [organizationId, environment, decodeId('ask', id) ?? ''] as const;
      const claimId = deps.ids.next();
      await claimRequest(deps.database.pool, [...one, claimId, admin.memberId, LOWEST, new Date(0)]);
      await placeOrder(deps, memberBuyer(scope, admin, { claimId }), id, { gifts: [gift] }, undefined);
      return id;
    },
  },
  'gift_request.declined': decided(
    (deps, scope, decision) => declineRequest(deps, scope, { ...decision, reason: 'Not now' }),
    'Declined a request for a gift of 25.00 USD (Not now)',
  ),
  'gift_request.moved': {
    prepare: (deps, organization) =>
      ask(deps, organization, asAdmin(organization), { method: 'email', email: 'ada@example.com' }),
    act: (deps, organization, actor, id) =>
      inOrganization(deps.database, organization.organizationUuid, (client) =>
        moveRequest(client, deps, scopeOf(organization), {
          requestId: decodeId('ask', id) ?? '',
          method: 'email',
          address: 'countess@example.com',
          actor,
        }),
      ),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Changed the address of a request for a gift to c•••@e•••.com',
  },
  'gift_request.withdrawn': decided(withdrawRequest, 'Withdrew a request for a gift of 25.00 USD'),
};
