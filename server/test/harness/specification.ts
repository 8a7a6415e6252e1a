/** The specification's 14 operations as a closed document, from its text alone: answers have exactly the fields of part 2. */

const text = { type: 'string' };
const whole = { type: 'integer' };
const one = (...values: string[]) => ({ enum: values });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

const closed = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});
const list = (name: string) =>
  closed({ object: one('list'), data: { type: 'array', items: ref(name) }, has_more: { type: 'boolean' } });

/** Part 7: status, type and retry class of each code. */
export const SPECIFIED_CODES: Readonly<Record<string, [status: number, type: string, isRetried?: true]>> = {
  api_key_missing: [401, 'authentication_error'],
  api_key_invalid: [401, 'authentication_error'],
  api_key_revoked: [401, 'authentication_error'],
  api_key_environment_mismatch: [401, 'authentication_error'],
  organization_suspended: [403, 'authentication_error'],
  resource_missing: [404, 'invalid_request_error'],
  parameter_invalid: [422, 'invalid_request_error'],
  cursor_invalid: [422, 'invalid_request_error'],
  request_body_invalid: [400, 'invalid_request_error'],
  request_body_too_large: [413, 'invalid_request_error'],
  gift_already_redeemed: [422, 'invalid_request_error'],
  gift_already_delivered: [422, 'invalid_request_error'],
  gift_resend_limit_reached: [422, 'invalid_request_error'],
  gift_delivery_not_updatable: [422, 'invalid_request_error'],
  idempotency_key_reused: [409, 'invalid_request_error'],
  organization_not_configured: [422, 'invalid_request_error'],
  insufficient_balance: [402, 'insufficient_balance_error'],
  rate_limit_exceeded: [429, 'rate_limit_error', true],
  sandbox_missing: [404, 'invalid_request_error'],
  gift_not_claimed: [422, 'invalid_request_error'],
  sandbox_endpoint_only: [403, 'invalid_request_error'],
  gift_delivery_not_simulatable: [422, 'invalid_request_error'],
  resource_locked: [409, 'api_error', true],
  idempotency_in_progress: [409, 'api_error', true],
  internal_error: [500, 'api_error', true],
};

const types = [...new Set(Object.values(SPECIFIED_CODES).map(([, type]) => type))];

/** JSON Schema of the answers. */
export const specification = {
  $id: 'specification',
  $defs: {
    Category: closed({
      id: text,
      name: text,
      description: text,
      artwork: { type: ['string', 'null'] },
      product_details_url: text,
    }),
    GiftDelivery: closed(
      { method: one('email', 'phone', 'link'), status: one('sent', 'failed', 'opened', 'claimed') },
      { email: text, phone: text, link: text },
    ),
    GiftPersonalization: closed({ sender_name: text }, { recipient_name: text }),
    Gift: closed(
      { gift_id: text, amount: whole, category: text, delivery: ref('GiftDelivery') },
      { personalization: ref('GiftPersonalization') },
    ),
    Order: closed({
      order_id: text,
      status: one('processing', 'processed'),
      gifts: { type: 'array', items: ref('Gift') },
    }),
    GiftList: list('Gift'),
    OrderList: list('Order'),
    CategoryList: list('Category'),
    SandboxResetResult: closed({
      object: one('sandbox_reset'),
      orders_deleted: whole,
      gifts_deleted: whole,
      balances_deleted: whole,
      ledger_entries_deleted: whole,
    }),
    Health: closed({ status: one('ok') }),
    Document: { type: 'object' },
    Error: closed({
      error: closed(
        { type: one(...types), code: one(...Object.keys(SPECIFIED_CODES)), message: text, request_id: text },
        { param: text, doc_url: text },
      ),
    }),
  },
};

/** Fields that came later. All are optional, and come only if someone of the organization used what they are about. */
const LATER: Readonly<Record<string, Record<string, object>>> = {
  Gift: {
    cancellation: {},
    chosen_category: text,
    scheduled_for: text,
    language: text,
    external_id: text,
    metadata: {},
  },
  GiftPersonalization: { message: text },
  Order: { external_id: text, metadata: {} },
  GiftList: { next_cursor: {} },
  OrderList: { next_cursor: {} },
};

/** The same with the fields that came later, and the reason of an error. */
export const grownSpecification = {
  $id: 'grown-specification',
  $defs: Object.fromEntries(
    Object.entries(specification.$defs).map(([name, schema]) => [name, withMore(schema, LATER[name])]),
  ),
};

function withMore(schema: object, more: Record<string, object> | undefined): object {
  if (more === undefined || !('properties' in schema)) return schema;
  return { ...schema, properties: { ...(schema.properties as object), ...more } };
}

const ofGift = '/v1/sandbox/gifts/[^/]+/';

/** Method, path and the schema of a success. */
const operations: readonly [call: RegExp, schema: keyof typeof specification.$defs][] = [
  [/^GET \/v1\/health$/, 'Health'],
  [/^GET \/v1\/openapi\.json$/, 'Document'],
  [/^GET \/v1\/categories$/, 'CategoryList'],
  [/^GET \/v1\/orders$/, 'OrderList'],
  [/^POST \/v1\/orders$/, 'Order'],
  [/^GET \/v1\/orders\/[^/]+$/, 'Order'],
  [/^GET \/v1\/gifts$/, 'GiftList'],
  [/^GET \/v1\/gifts\/[^/]+$/, 'Gift'],
  [/^PUT \/v1\/gifts\/[^/]+\/delivery$/, 'Gift'],
  [new RegExp(`^POST ${ofGift}(deliver|open|claim|spend)$`), 'Gift'],
  [/^POST \/v1\/sandbox\/reset$/, 'SandboxResetResult'],
];

/** The schema of a success of one of the 14 operations; undefined for what came later. */
export const specifiedAnswer = (method: string, path: string) =>
  operations.find(([call]) => call.test(`${method} ${path.split(/[?#]/)[0]}`))?.[1];
