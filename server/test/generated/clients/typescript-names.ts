/** What `openapi.json` does not say and the TypeScript client needs. */

/** Types whose name is not that of the schema. */
export const NAMES: Readonly<Record<string, string>> = { BalanceSummary: 'Balance' };

/** Operations whose method does more than to send, or has another form. */
export const METHODS_BY_HAND: readonly string[] = ['getHealth', 'getOpenapi', 'retrieveLedgerProof', 'listEvents'];

/** Bodies and answers that have no type, or one that is written by hand. */
export const TYPES_BY_HAND: readonly string[] = ['EventList', 'Gift', 'OpenapiDocument', 'Order'];

/** Parts of bodies and answers that a program may want to name. */
export const PARTS: readonly string[] = [
  'DeliveryInput',
  'GiftCard',
  'GiftDelivery',
  'GiftHistory',
  'GiftInput',
  'GiftMessage',
  'OrderHistory',
];

/** What methods do that the document does not say. */
export const NOTES: Readonly<Record<string, string>> = {
  createOrder:
    'All attempts carry one `Idempotency-Key`, so the order is placed once. After a crash, or an error with `outcomeUnknown`, call it again with the same key and body to get the placed order. With a `store` the order is kept before the first attempt, until the service places or refuses it; to give it up, call the store’s `forget`.',
};
