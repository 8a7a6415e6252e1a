import { Type } from 'typebox';
import { eventTypes } from '../../platform/events/event-types.ts';
import { FoundSections, OrderPreviewAnswer, OrderRequestAnswer, PlacedAnswer } from './answers.ts';
import type { Declaration, Hints } from './tool.ts';

const READS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const CHANGES: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
/** A message goes to a person. */
const SENDS: Hints = { ...CHANGES, openWorldHint: true };

const CATEGORY =
  'The id of a category from list_categories. Of the category `any`, if the catalog has it, the recipient chooses another one.';
const PAIRS = 'Only those with all these pairs of your own data.';

const previewToken = Type.String({ description: 'The `preview_token` of preview_order.' });
const orderId = Type.Optional(Type.String({ description: 'The order’s id.' }));
const externalId = Type.Optional(Type.String({ description: 'Your own id of the order, in place of `order_id`.' }));
const orderRequestId = Type.String({ description: 'The `order_request_id` of place_order.' });
const query = Type.String({ description: 'A question, or words such as an error code or a field.' });
const idempotencyKey = Type.Optional(
  Type.String({
    description:
      'A key that you make for this act, such as a random UUID. A repeated call with the same key does nothing again and answers with the gift as it is now.',
  }),
);
const wait = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 20,
    description: 'How many seconds to wait for an event if none is there, 0 to 20; 20 without it.',
  }),
);

/** In the order in which an agent needs them. */
export const declarations = {
  list_categories: {
    title: 'List categories',
    needs: 'read',
    description: 'Lists everything that can be given. The `id` of a category is the `category` of a gift.',
    hints: READS,
    operationId: 'listCategories',
  },
  get_balance: {
    title: 'Get the balance',
    needs: 'read',
    description: 'Shows what orders can spend now, in cents, and the latest change of the balance.',
    hints: READS,
    operationId: 'retrieveBalance',
  },
  list_balance_entries: {
    title: 'List changes of the balance',
    needs: 'all',
    description:
      'Lists the entries of the ledger, most recent first, each with the balance after it: the receipts of orders, refunds and funds.',
    hints: READS,
    operationId: 'listBalanceEntries',
  },
  preview_order: {
    title: 'Preview an order',
    needs: 'order',
    description:
      'Validates and prices an order of 1 to 10 gifts, and shows what the balance and the spending caps would leave. Buys nothing. The answer has a `preview_token` for place_order if the order can be placed. A token that was not used expires after an hour. Show the person the recipients and the total before you place the order.',
    hints: READS,
    operationId: 'createOrder',
    words: { category: CATEGORY },
    answer: OrderPreviewAnswer,
  },
  place_order: {
    title: 'Place an order',
    needs: 'order',
    description:
      'Buys the gifts of a previewed order, paid from the balance in one debit, and sends the email and phone gifts. Send its `preview_token` alone. If you also send the order, it must be the one that was previewed, unchanged. After a time-out or a lost connection, also days later, call it again with the same arguments: a token buys one order, however often it is sent. An order with the status `processing` is paid for. With the status `waiting_for_approval` nothing is bought: a person decides on the request, at its `portal_url`.',
    hints: SENDS,
    operationId: 'createOrder',
    isBodyOptional: true,
    words: { category: CATEGORY },
    more: { preview_token: previewToken },
    answer: PlacedAnswer,
  },
  get_order: {
    title: 'Get an order',
    needs: 'read',
    description:
      'Shows one order with its gifts, in the order in which they were sent, and what happened to them (`history`). Send `order_id`, or your own `external_id`.',
    hints: READS,
    operationId: 'retrieveOrder',
    more: { order_id: orderId, external_id: externalId },
  },
  get_order_request: {
    title: 'Get an order that waits for a person',
    needs: 'order',
    description:
      'Shows the request that place_order made for an order above the amount of the grant: `waiting_for_approval`, `approved` with the `order_id`, or `declined` or `expired`, which bought nothing.',
    hints: READS,
    more: { order_request_id: orderRequestId },
    answer: OrderRequestAnswer,
  },
  list_orders: {
    title: 'List orders',
    needs: 'read',
    description: 'Lists orders with their gifts, most recent first, also those with the status `processing`.',
    hints: READS,
    operationId: 'listOrders',
    words: { metadata: PAIRS },
  },
  get_gift: {
    title: 'Get a gift',
    needs: 'read',
    description:
      'Shows one gift: what happened to it and when (`history`), whether its message arrived, and when it was last sent. The expired link of a link gift is renewed.',
    hints: READS,
    operationId: 'retrieveGift',
  },
  list_gifts: {
    title: 'List gifts',
    needs: 'read',
    description:
      'Lists gifts, most recent purchase first. get_gift shows what happened to one, and renews an expired link.',
    hints: READS,
    operationId: 'listGifts',
    words: { metadata: PAIRS },
  },
  cancel_gift: {
    title: 'Cancel a gift',
    needs: 'manage',
    description:
      'Takes an unclaimed gift back, also one on hold. Its links end, its message is not sent if it still waits, and its amount returns to the balance. Canceling it again changes nothing. It cannot be undone.',
    hints: CHANGES,
    operationId: 'cancelGift',
  },
  cancel_order: {
    title: 'Cancel an order',
    needs: 'manage',
    description:
      'Takes every unclaimed gift of an order back in one step; their amounts return to the balance. Claimed gifts stay as they are. Canceling it again changes nothing. It cannot be undone.',
    hints: CHANGES,
    operationId: 'cancelOrder',
  },
  resend_gift: {
    title: 'Send a gift again',
    needs: 'manage',
    description:
      'Sends an unclaimed email or phone gift once more to its address. Earlier links stay valid. It counts as a redirect. The answer says when the gift was last sent. Send an `idempotency_key`, so that you can repeat the call after a lost answer.',
    hints: { ...SENDS, destructiveHint: false, idempotentHint: false },
    operationId: 'resendGift',
    more: { idempotency_key: idempotencyKey },
  },
  redirect_gift: {
    title: 'Send a gift to another address',
    needs: 'manage',
    description:
      'Sends a gift whose delivery failed to a different address, or changes the address of a gift that is not sent yet. Links in earlier messages stop working, because the wrong person may have them. A gift can be redirected five times, unless the operator has set another number.',
    hints: { ...SENDS, idempotentHint: false },
    operationId: 'redirectGift',
    bodyArgument: 'delivery',
  },
  replace_link: {
    title: 'Replace a gift’s link',
    needs: 'manage',
    description:
      'Ends all links of an unclaimed gift, because someone else may have them. The answer has the new link of a link gift; an email or phone gift is sent again to its address. It counts as a redirect. Send an `idempotency_key`: another call without it replaces the link again.',
    hints: { ...SENDS, idempotentHint: false },
    operationId: 'replaceGiftLink',
    more: { idempotency_key: idempotencyKey },
  },
  schedule_gift: {
    title: 'Change when a gift is sent',
    needs: 'manage',
    description:
      'Changes the time of a gift that was ordered with `send_at`, until it is sent. A time that has come sends it at once.',
    hints: SENDS,
    operationId: 'scheduleGift',
  },
  wait_for_events: {
    title: 'Wait for events',
    needs: 'events',
    description:
      'Answers with the next events, such as a gift that was claimed, or with none after the wait. Send `next_after` of each answer as the next `after`, and no event is missed.',
    hints: READS,
    operationId: 'listEvents',
    more: { wait },
    words: {
      after:
        'Events after this sequence: `next_after` of an earlier answer, or 0 for all that are held. Without it, events from now on.',
      limit: 'How many to return at most, 1 to 1000.',
      types: `Only these types, separated by commas: ${Object.keys(eventTypes).join(', ')}.`,
    },
  },
  search_docs: {
    title: 'Search the documentation',
    needs: 'read',
    description: 'Finds the sections of the documentation that answer a question or have the words, best first.',
    hints: READS,
    more: { query },
    answer: FoundSections,
  },
} as const satisfies Record<string, Declaration>;

export type ToolName = keyof typeof declarations;
