import { type Static, Type } from 'typebox';
import type { AddRoute, Operation } from '../../../platform/api/operation.ts';
import { idParameter, requireId } from '../../../platform/api/require-id.ts';
import { refTo } from '../../../platform/api/schema.ts';
import type { Caller } from '../../../platform/authentication/caller.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { destination } from '../../../platform/base/destination.ts';
import type { ErrorCode } from '../../../platform/base/errors.ts';
import type { OnceRequest } from '../../../platform/idempotency/act-once.ts';
import {
  checkOptionalIdempotencyKey,
  OptionalIdempotencyKeyHeader,
  onceRequestOf,
  replayedHeader,
} from '../../../platform/idempotency/key-header.ts';
import { exportList, wantsCsv } from '../../../platform/paging/export-list.ts';
import { PageQuery, parsePageRequest } from '../../../platform/paging/page-query.ts';
import { endOfPage } from '../../../platform/paging/read-filtered-page.ts';
import type { Deps } from '../../deps.ts';
import { createAnswerSteering, steer } from '../../sandbox/steering.ts';
import { cancelGift } from '../cancel/cancel-gift.ts';
import { afterChange, answerGift } from '../expand/answer-gift.ts';
import { expandGifts } from '../expand/expand-gifts.ts';
import { expandQuery, readExpand } from '../expand/expand-query.ts';
import { filterGifts } from '../find/filter-gifts.ts';
import { giftsAsCsv } from '../find/gifts-as-csv.ts';
import { listGifts } from '../find/list-gifts.ts';
import { giftQuery, readFiltersOfGifts } from '../find/read-filters.ts';
import { withContractCodes } from '../gift/contract-codes.ts';
import { presentGift } from '../gift/present-gift.ts';
import type { GiftRow } from '../gift/queries.ts';
import { retrieveGift } from '../gift/retrieve-gift.ts';
import { CancelInput, Gift, type GiftBody, GiftList, RedirectInput, ScheduleInput } from '../gift/schema.ts';
import { scheduleGift } from '../schedule/schedule-gift.ts';
import { redirectGift } from '../send/redirect-gift.ts';
import { replaceLink, resendGift } from '../send/send-again.ts';
import { canceledGiftExample, giftExample, linkGiftExample, scheduledGiftExample } from './examples.ts';

const params = idParameter('gift_id', 'The gift’s id.', giftExample.gift_id);

export function giftRoutes(addRoute: AddRoute, deps: Deps): void {
  addListRoute(addRoute, deps);
  addRetrieveRoute(addRoute, deps);
  addRedirectRoute(addRoute, deps);
  for (const act of acts) addActRoute(addRoute, deps, act);
}

function addListRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/gifts',
      operationId: 'listGifts',
      tag: 'Gifts',
      summary: 'List gifts',
      description:
        'All gifts of the organization in this environment, most recent purchase first. While an order is `processing`, its later gifts are not there yet; they come at the place of their purchase, so that a client that polls with `ending_before` may miss them: poll the orders. Lists also show expired redemption links; retrieve a single gift to renew its link. With `Accept: text/csv` the answer is every matching gift as CSV, without links.',
      hasCsv: true,
      access: 'key',
      isCompressed: true,
      query: Type.Object({ ...PageQuery.properties, ...giftQuery, ...expandQuery }),
      response: refTo(GiftList),
      answers: {
        200: { description: 'A page of gifts.', example: { object: 'list', data: [giftExample], has_more: false } },
      },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    async ({ request, reply }) => {
      const caller = callerOf(request);
      const page = parsePageRequest(request.query);
      const query = request.query as Record<string, unknown>;
      const filters = readFiltersOfGifts(query);
      const expand = readExpand(query);
      const actor = { kind: 'key', address: request.ip } as const;
      const addParts = (gifts: GiftBody[]) => expandGifts(deps, caller, expand, gifts);
      if (wantsCsv(request)) return exportList(deps, reply, giftsAsCsv(deps, caller, query, actor, addParts));
      const { rows, ...more } =
        filters === undefined
          ? await listGifts(deps, caller, page)
          : await filterGifts(deps, caller, { ...page, ...filters });
      return {
        object: 'list' as const,
        data: await addParts(rows.map((gift) => presentGift(deps.links, caller, gift))),
        ...endOfPage(more),
      };
    },
  );
}

function addRetrieveRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/gifts/{gift_id}',
      operationId: 'retrieveGift',
      tag: 'Gifts',
      summary: 'Retrieve a gift',
      description: 'One gift and its status. An expired link of a link gift is renewed.',
      access: 'key',
      params,
      query: Type.Object(expandQuery),
      response: refTo(Gift),
      answers: { 200: { description: 'The gift.', example: giftExample } },
      errors: ['resource_missing', 'parameter_invalid', 'resource_locked'],
    },
    async ({ params: { gift_id }, request }) => {
      const caller = callerOf(request);
      const expand = readExpand(request.query);
      return answerGift(deps, caller, expand, await retrieveGift(deps, caller, requireId('gift', gift_id)));
    },
  );
}

function addRedirectRoute(addRoute: AddRoute, deps: Deps): void {
  const steerAnswer = createAnswerSteering(deps);
  addRoute(
    {
      method: 'PUT',
      path: '/v1/gifts/{gift_id}/delivery',
      operationId: 'redirectGift',
      tag: 'Gifts',
      summary: 'Send a gift to another address',
      description:
        'Sends a gift whose delivery failed to a different address, or changes the address of a gift that is not sent yet. Links in earlier messages stop working, because the wrong person may have them. A gift can be redirected five times, unless the operator has set another number. The request can be repeated: with the same `Idempotency-Key`, or to the address to which a message is under way since a redirect, it changes nothing. In the sandbox the new address steers the gift, as in an order.',
      access: 'key',
      params,
      query: Type.Object(expandQuery),
      headers: OptionalIdempotencyKeyHeader,
      body: refTo(RedirectInput),
      bodyExamples: {
        email: { summary: 'By email', value: { method: 'email', email: 'delivered@sandbox.gift.test' } },
        phone: { summary: 'By phone', value: { method: 'phone', phone: '+1 (202) 555-0100' } },
      },
      response: refTo(Gift),
      answers: { 200: { description: 'The gift, sent again.', example: giftExample, headers: replayedHeader } },
      errors: [
        'resource_missing',
        'parameter_invalid',
        'gift_delivery_not_updatable',
        'gift_resend_limit_reached',
        'insufficient_balance',
        'idempotency_key_reused',
        'idempotency_in_progress',
        'resource_locked',
      ],
      isMockable: true,
    },
    async ({ params: { gift_id }, body, request, reply }) => {
      const caller = callerOf(request);
      const giftId = requireId('gift', gift_id);
      const expand = readExpand(request.query);
      const actor = { kind: 'key', address: request.ip } as const;
      const redirecting = redirectGift(deps, caller, { giftId, body, actor, once: onceRequestOf(request) });
      const { gift, repeats } = await withContractCodes({ gift_on_hold: 'gift_delivery_not_updatable' }, redirecting);
      if (repeats === 'replayed') reply.header('Idempotent-Replayed', 'true');
      // A repetition is answered, also if the answer to the redirect was lost.
      if (repeats === undefined)
        await steerAnswer([steer(caller.environment, deps.config.sandboxMailDomain, destination(body))]);
      return afterChange(answerGift(deps, caller, expand, gift));
    },
    { preValidation: checkOptionalIdempotencyKey },
  );
}

/** What a `POST` does to one gift, once per `Idempotency-Key`. */
interface Act extends Required<Pick<Operation, 'operationId' | 'summary' | 'description'>> {
  name: string;
  body?: Pick<Operation, 'body' | 'isBodyOptional' | 'bodyExamples'>;
  answer: { description: string; example: unknown };
  /** Besides those of every act. */
  errors: readonly ErrorCode[];
  act(deps: Deps, caller: Caller, request: Requested): Promise<{ gift: GiftRow; isReplay: boolean }>;
}

interface Requested {
  giftId: string;
  body: unknown;
  actor: Actor;
  once: OnceRequest;
}

const sendErrors = [
  'request_body_too_large',
  'gift_canceled',
  'gift_scheduled',
  'gift_on_hold',
  'gift_delivery_not_updatable',
  'gift_resend_limit_reached',
] as const;

const acts: readonly Act[] = [
  {
    name: 'link',
    operationId: 'replaceGiftLink',
    summary: 'Replace a gift’s link',
    description:
      'Ends all links of an unclaimed gift, because someone else may have them. The answer has the new link of a link gift; an email or phone gift is sent again to its address. It counts as a redirect. Each call replaces the link again.',
    answer: { description: 'The gift with its new link, or sent again.', example: linkGiftExample },
    errors: sendErrors,
    act: replaceLink,
  },
  {
    name: 'resend',
    operationId: 'resendGift',
    summary: 'Send a gift again',
    description:
      'Sends an unclaimed email or phone gift once more to its address. Earlier links stay valid. It counts as a redirect. In the sandbox the address steers the delivery.',
    answer: { description: 'The gift, sent again.', example: giftExample },
    errors: sendErrors,
    act: resendGift,
  },
  {
    name: 'cancel',
    operationId: 'cancelGift',
    summary: 'Cancel a gift',
    description:
      'Takes an unclaimed gift back, also one on hold. Its links end, its message is not sent if it still waits, and its amount returns to the balance. Canceling it again changes nothing. It cannot be undone.',
    body: {
      body: refTo(CancelInput),
      isBodyOptional: true,
      bodyExamples: { reason: { summary: 'With a reason', value: { reason: 'Ordered twice' } } },
    },
    answer: { description: 'The canceled gift.', example: canceledGiftExample },
    errors: [],
    act: (deps, caller, { body, ...request }) =>
      cancelGift(deps, caller, { ...request, reason: (body as Static<typeof CancelInput> | undefined)?.reason }),
  },
  {
    name: 'schedule',
    operationId: 'scheduleGift',
    summary: 'Change when a gift is sent',
    description:
      'Changes the time of a gift that was ordered with `send_at`, until it is sent. A time that has come sends it at once. The days until it expires and until reminders count from the new time.',
    body: {
      body: refTo(ScheduleInput),
      bodyExamples: { later: { summary: 'On another day', value: { send_at: '2026-12-31T18:00:00+01:00' } } },
    },
    answer: { description: 'The gift with its new time, or sent.', example: scheduledGiftExample },
    errors: ['gift_canceled', 'gift_not_scheduled', 'gift_on_hold'],
    act: (deps, caller, { body, ...request }) =>
      scheduleGift(deps, caller, { ...request, sendAt: (body as Static<typeof ScheduleInput>).send_at }),
  },
];

function addActRoute(addRoute: AddRoute, deps: Deps, { name, body: bodyOf, answer, errors, act, ...words }: Act): void {
  addRoute(
    {
      method: 'POST',
      path: `/v1/gifts/{gift_id}/${name}`,
      tag: 'Gifts',
      ...words,
      access: 'key',
      params,
      query: Type.Object(expandQuery),
      headers: OptionalIdempotencyKeyHeader,
      ...bodyOf,
      response: refTo(Gift),
      answers: { 200: { ...answer, headers: replayedHeader } },
      errors: [
        'resource_missing',
        'parameter_invalid',
        'idempotency_key_reused',
        'idempotency_in_progress',
        'gift_already_redeemed',
        'resource_locked',
        ...errors,
      ],
    },
    async ({ params: { gift_id }, body, request, reply }) => {
      const caller = callerOf(request);
      const expand = readExpand(request.query);
      const { gift, isReplay } = await act(deps, caller, {
        giftId: requireId('gift', gift_id),
        body,
        actor: { kind: 'key', address: request.ip },
        once: onceRequestOf(request),
      });
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return afterChange(answerGift(deps, caller, expand, gift));
    },
    { preValidation: checkOptionalIdempotencyKey },
  );
}
