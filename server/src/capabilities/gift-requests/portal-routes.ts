import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { GiftToSend } from '../../core/gifts/gift/portal-schema.ts';
import { setRequestPolicy } from '../../core/organizations/set-request-policy.ts';
import type { Member } from '../../faces/portal-access/access.ts';
import { FormId } from '../../faces/portal-access/form-id.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import { requireBatchInReach } from '../../faces/portal-access/reach.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { refuseLostLetters } from '../../platform/api/lost-letters.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { Cents } from '../../platform/api/schema.ts';
import { countOpenRequests } from './count-open-requests.ts';
import { approveRequest, declineRequest, withdrawRequest } from './decide-request.ts';
import { requestBatch, requestGift, requestOrder } from './request-gift.ts';
import { addRuleRoutes } from './rule-routes.ts';
import { DeclineInput, GiftRequest, OpenRequests, RequestState } from './schema.ts';
import { listRequests, showRequest } from './show-requests.ts';

const PATH = '/organizations/{organization_id}/{environment}/gift-requests';
const ONE = `${PATH}/{gift_request_id}`;
const tag = 'Gift requests';

const viewerOf = ({ memberId, membership }: Member) => ({
  memberId,
  mayApprove: membership.permissions.includes('approve'),
});

const askerOf = ({ actor, membership }: Member) => ({ actor, organizationName: membership.organization_name });

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
  addHeldRoutes(register, deps);
  addRuleRoutes(register, deps);
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
      summary: 'Asks for a gift. Buys and reserves nothing. The same form asks once.',
      access: 'member',
      needs: ['order', 'request'],
      body: Type.Object({ form_id: FormId, gift: GiftToSend }),
      response: GiftRequest,
    },
    async ({ scope, body: { form_id, gift }, member }) => {
      refuseLostLetters(gift.personalization, 'gift.personalization.');
      const asked = { formId: form_id, gift, ...askerOf(member) };
      return showRequest(deps, scope, viewerOf(member), await requestGift(deps, scope, asked));
    },
  );

  addWithdrawRoute(register, deps);
}

/** What a rule holds back. */
function addHeldRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/orders`,
      operationId: 'requestOrder',
      tag,
      summary: 'Asks for an order that a rule holds back. Buys and reserves nothing. The same form asks once.',
      access: 'member',
      needs: 'order',
      body: Type.Object({
        form_id: FormId,
        gifts: Type.Array(GiftToSend, { minItems: 1, maxItems: 10, 'x-rule': 'must be a list of 1 to 10 gifts' }),
      }),
      response: GiftRequest,
    },
    async ({ scope, body: { form_id, gifts }, member }) => {
      for (const [n, { personalization }] of gifts.entries())
        refuseLostLetters(personalization, `gifts[${n}].personalization.`);
      const asked = { formId: form_id, gifts, ...askerOf(member) };
      return showRequest(deps, scope, viewerOf(member), await requestOrder(deps, scope, asked));
    },
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/batches`,
      operationId: 'requestBatch',
      tag,
      summary: 'Asks for a batch that a rule holds back. Its draft changes no more. The same form asks once.',
      access: 'member',
      needs: 'order',
      body: Type.Object({
        form_id: FormId,
        batch_id: Type.String(),
        amount: Type.Unsafe<number>({ ...Cents, description: 'The sum that the member saw.' }),
        accepts_duplicates: Type.Boolean({
          description: 'Send also to those who had a gift, or are in the file twice.',
        }),
      }),
      response: GiftRequest,
    },
    async ({ scope, body, member }) => {
      const seen = { amountCents: body.amount, acceptsDuplicates: body.accepts_duplicates };
      const asked = { formId: body.form_id, batchId: requireId('batch', body.batch_id), seen, ...askerOf(member) };
      await requireBatchInReach(deps, scope, member, asked.batchId);
      return showRequest(deps, scope, viewerOf(member), await requestBatch(deps, scope, asked));
    },
  );
}

function addWithdrawRoute(register: Register, deps: Deps): void {
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
      summary: 'The requests for gifts, newest first: all for those who decide them, their own for others.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object({ ...pageQuery, state: Type.Optional(RequestState) }),
      response: pageOf(GiftRequest),
    },
    async ({ scope, query: { state, ...query }, member }) =>
      pageAnswer(await listRequests(deps, scope, viewerOf(member), { ...readPage(query), state })),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/open`,
      operationId: 'countOpenGiftRequests',
      tag,
      summary: 'How many requests wait for a decision, up to 100.',
      access: 'member',
      needs: 'approve',
      response: OpenRequests,
    },
    ({ scope }) => countOpenRequests(deps, scope),
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
      keepsToReach: true,
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
      summary:
        'Approves a request. With its last approval its gifts are bought and sent. Approving it again changes nothing.',
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
