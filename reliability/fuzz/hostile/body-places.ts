import { type Expected, isDelivery, readJson, readOrder } from './expected-order.ts';
import type { Nasty } from './nasty-strings.ts';
import { keyOf, never, type Place, requestOf } from './place.ts';

const gift = (fields: string) => `{"gifts":[{${fields}}]}`;
const AMOUNT = '"amount":1000';
const CATEGORY = '"category":"coffee"';
const DELIVERY = '"delivery":{"method":"link"}';
const WHOLE = `${AMOUNT},${CATEGORY},${DELIVERY}`;

/** A body with the value in the place of ◊. */
const orderTemplates: Record<string, string> = {
  'whole body': '◊',
  gifts: '{"gifts":◊}',
  'gifts[0]': '{"gifts":[◊]}',
  'gifts[1]': `{"gifts":[{${WHOLE}},◊]}`,
  amount: gift(`"amount":◊,${CATEGORY},${DELIVERY}`),
  category: gift(`${AMOUNT},"category":◊,${DELIVERY}`),
  delivery: gift(`${AMOUNT},${CATEGORY},"delivery":◊`),
  method: gift(`${AMOUNT},${CATEGORY},"delivery":{"method":◊}`),
  'method beside an email': gift(`${AMOUNT},${CATEGORY},"delivery":{"method":◊,"email":"a@example.com"}`),
  email: gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"email","email":◊}`),
  phone: gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"phone","phone":◊}`),
  personalization: gift(`${WHOLE},"personalization":◊`),
  recipient_name: gift(`${WHOLE},"personalization":{"recipient_name":◊}`),
  sender_name: gift(`${WHOLE},"personalization":{"sender_name":◊}`),
  'an unknown field’s value': gift(`${WHOLE},"unknown":◊`),
  'a field’s name': `{"gifts":[{${WHOLE}}],◊:0}`,
  'a field’s name in a gift': gift(`${WHOLE},◊:0`),
  'a field’s name in a delivery': gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"link",◊:0}`),
};

function fill(template: string, json: Buffer): Buffer {
  const [before = '', after = ''] = template.split('◊');
  return Buffer.concat([Buffer.from(before), json, Buffer.from(after)]);
}

const place = (
  name: string,
  bodyOf: (value: Nasty) => Buffer,
  request: Place['request'],
  expected: (body: Buffer) => Expected,
): Place => ({ name, side: 'interface', isAlone: never, request, expected: (value) => expected(bodyOf(value)) });

const order = (name: string, bodyOf: (value: Nasty) => Buffer) =>
  place(
    `order: ${name}`,
    bodyOf,
    (value, ground, unique) =>
      requestOf('POST /v1/orders', [keyOf(ground), `Idempotency-Key: ${unique}`], bodyOf(value)),
    readOrder,
  );

const notJson: Expected = { status: [400], code: 'request_body_invalid' };
const invalid: Expected = { status: [422], code: 'parameter_invalid' };

function redirect(name: string, template: string): Place {
  const bodyOf = ({ json }: Nasty) => fill(template, json);
  return place(
    `redirect: ${name}`,
    bodyOf,
    (value, ground) => requestOf(`PUT /v1/gifts/${ground.claimedGift}/delivery`, [keyOf(ground)], bodyOf(value)),
    (body) => {
      const read = readJson(body);
      if (read === undefined) return notJson;
      return isDelivery(read.value, false) ? { status: [422], code: 'gift_delivery_not_updatable' } : invalid;
    },
  );
}

const settle = (name: string, bodyOf: (value: Nasty) => Buffer) =>
  place(
    `deliver: ${name}`,
    bodyOf,
    (value, ground) => requestOf(`POST /v1/sandbox/gifts/${ground.linkGift}/deliver`, [keyOf(ground)], bodyOf(value)),
    (body) => {
      const read = body.length === 0 ? { value: {} } : readJson(body);
      if (read === undefined) return notJson;
      return isOutcome(read.value) ? { status: [422], code: 'gift_delivery_not_simulatable' } : invalid;
    },
  );

function isOutcome(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, each]) => name === 'outcome' && (each === 'delivered' || each === 'failed'),
  );
}

/** Every field of every body, and every body as a whole. */
export const bodyPlaces: readonly Place[] = [
  ...Object.entries(orderTemplates).map(([name, template]) => order(name, ({ json }) => fill(template, json))),
  order('whole body, byte by byte', ({ bytes }) => bytes),
  redirect('whole body', '◊'),
  redirect('method', '{"method":◊}'),
  redirect('email', '{"method":"email","email":◊}'),
  redirect('phone', '{"method":"phone","phone":◊}'),
  redirect('a field’s name', '{"method":"email","email":"a@example.com",◊:0}'),
  settle('whole body', ({ json }) => json),
  settle('whole body, byte by byte', ({ bytes }) => bytes),
  settle('outcome', ({ json }) => fill('{"outcome":◊}', json)),
  settle('a field’s name', ({ json }) => fill('{◊:0}', json)),
  place(
    'claim again: a body that is ignored',
    ({ bytes }) => bytes,
    ({ bytes }, ground) => requestOf(`POST /v1/sandbox/gifts/${ground.claimedGift}/claim`, [keyOf(ground)], bytes),
    () => ({ status: [422], code: 'gift_already_redeemed' }),
  ),
];
