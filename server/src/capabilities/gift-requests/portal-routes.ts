import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { GiftToSend } from '../../core/gifts/gift/portal-schema.ts';
import { setRequestPolicy } from '../../core/organizations/set-request-policy.ts';
import type { Member } from '../../core/portal-access/access.ts';
import { FormId } from '../../core/portal-access/form-id.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../core/portal-access/list-schema.ts';
import type { Register } from '../../core/portal-access/register.ts';
import { refuseLostLetters } from '../../platform/api/lost-letters.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { approveRequest, declineRequest, withdrawRequest } from './decide-request.ts';
import { requestGift } from './request-gift.ts';
import { DeclineInput, GiftRequest, RequestState } from './schema.ts';
import { listRequests, showRequest } from './show-requests.ts';

const PATH = '/organizations/{organization_id}/{environment}/gift-requests';
const ONE = `${PATH}/{gift_request_id}`;
const tag = 'Gift requests';

const viewerOf = ({ memberId, membership }: Member) => ({ memberId, isAdmin: membership.role === 'admin' });

const decisionOf = (id: string, { actor, membership }: Member) => ({
  requestId: requireId('ask', id),
  actor,
  organizationName: membership.organization_name,
});

/** Gifts that members ask for. */
export function giftRequestRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'PUT',
      path: '/organizations/{organization_id}/gift-request-policy',
      operationId: 'setGiftRequestPolicy',
      tag,
      summary: 'Sets whether members may ask admins for gifts.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: Type.Object({ is_allowed: Type.Boolean() }),
    },
    ({ body, member: { organizationId, actor } }) =>
      setRequestPolicy(deps, { organizationId, isAllowed: body.is_allowed, actor }),
  );

  addMemberRoutes(register, deps);
  addReadRoutes(register, deps);
  addDecisionRoutes(register, deps);
}

function addMemberRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'requestGift',
      tag,
      summary: 'Asks the admins for a gift. Buys and reserves nothing. The same form asks once.',
      access: 'member',
      needs: ['order', 'request'],
      body: Type.Object({ form_id: FormId, gift: GiftToSend }),
      response: GiftRequest,
    },
    async ({ scope, body: { form_id, gift }, member }) => {
      refuseLostLetters(gift.personalization, 'gift.personalization.');
      const { actor, membership } = member;
      const asked = { formId: form_id, gift, actor, organizationName: membership.organization_name };
      return showRequest(deps, scope, viewerOf(member), await requestGift(deps, scope, asked));
    },
  );

  register(
    {
      method: 'POST',
      path: `${ONE}/withdraw`,
      operationId: 'withdrawGiftRequest',
      tag,
      summary: 'Withdraws the member’s own request.',
      access: 'member',
      needs: ['order', 'request'],
      response: GiftRequest,
    },
    async ({ params, scope, member }) => {
      const decision = decisionOf(params.gift_request_id, member);
      await withdrawRequest(deps, scope, decision);
      return showRequest(deps, scope, viewerOf(member), decision.requestId);
    },
  );
}

function addReadRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listGiftRequests',
      tag,
      summary: 'The requests for gifts, newest first: all for admins, their own for members.',
      access: 'member',
      needs: 'gifts',
      query: Type.Object({ ...pageQuery, state: Type.Optional(RequestState) }),
      response: pageOf(GiftRequest),
    },
    async ({ scope, query: { state, ...query }, member }) =>
      pageAnswer(await listRequests(deps, scope, viewerOf(member), { ...readPage(query), state })),
  );

  register(
    {
      method: 'GET',
      path: ONE,
      operationId: 'showGiftRequest',
      tag,
      summary: 'A request for a gift.',
      access: 'member',
      needs: 'gifts',
      response: GiftRequest,
    },
    ({ params, scope, member }) => showRequest(deps, scope, viewerOf(member), requireId('ask', params.gift_request_id)),
  );
}

function addDecisionRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${ONE}/approve`,
      operationId: 'approveGiftRequest',
      tag,
      summary: 'Buys the gift of a request and sends it. Approving it again changes nothing.',
      access: 'member',
      needs: 'approve',
      needsFreshSignIn: true,
      response: GiftRequest,
    },
    async ({ params, scope, member }) => {
      const decision = decisionOf(params.gift_request_id, member);
      await approveRequest(deps, scope, decision);
      return showRequest(deps, scope, viewerOf(member), decision.requestId);
    },
  );

  register(
    {
      method: 'POST',
      path: `${ONE}/decline`,
      operationId: 'declineGiftRequest',
      tag,
      summary: 'Declines a request. Nothing is bought.',
      access: 'member',
      needs: 'approve',
      body: DeclineInput,
      response: GiftRequest,
    },
    async ({ params, scope, body: { reason }, member }) => {
      const decision = decisionOf(params.gift_request_id, member);
      await declineRequest(deps, scope, { ...decision, reason });
      return showRequest(deps, scope, viewerOf(member), decision.requestId);
    },
  );
}
