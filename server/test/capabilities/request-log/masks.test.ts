import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskAnswer, maskBody } from '../../../src/capabilities/request-log/mask-body.ts';
import { maskError } from '../../../src/capabilities/request-log/mask-error.ts';
import { maskPath } from '../../../src/capabilities/request-log/mask-path.ts';
import { maskText } from '../../../src/capabilities/request-log/mask-text.ts';
import { BestowError } from '../../../src/platform/base/errors.ts';

const MAIL_DOMAIN = 'sandbox.gift.test';

const texts: Record<string, string> = {
  'ada@example.com': 'a•••@example.com',
  'a@example.com': '•••@example.com',
  'ada.lovelace+gifts@mail.example.co.uk': 'a•••@mail.example.co.uk',
  'bounced+ada@sandbox.gift.test': 'bounced+ada@sandbox.gift.test',
  'Bounced@SANDBOX.gift.test': 'Bounced@SANDBOX.gift.test',
  'ada@example.com@sandbox.gift.test': 'a•••',
  '"ada@example.com"@sandbox.gift.test': '•••',
  'Ada Lovelace <ada@example.com>': 'A•••',
  'ada@exämple.com': 'a•••',
  'ada@12025550142': 'a•••',
  '+1 (202) 555-0142': '+1••••••0142',
  '+12025550142': '+1••••••0142',
  '12025550142': '••••••0142',
  '555-0142': '••••••42',
  '+1 202 555 0100': '+1 202 555 0100',
  'Ada Lovelace': 'A•••',
  Ada: 'A•••',
  A: '•••',
  Ωmega: 'Ω•••',
  '': '•••',
  '\u0000x': '•••',
  '\ud800x': '•••',
  '2500': '2500',
  '25.00': '25.00',
  gift_01k0fxw4mzejhtt6k1sqh3p5cg: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  gift_01k0: 'gift_01k0',
  wh_01k0fxw4mzejhtt6k1sqh3p5cg: 'wh_01k0fxw4mzejhtt6k1sqh3p5cg',
  '0197f5d9-d4f4-7c22-9bb1-5e4f2d3c1b0a': '0197f5d9-d4f4-7c22-9bb1-5e4f2d3c1b0a',
  'bestow-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab': 'b•••',
  sk_0123456789: 's•••',
};

for (const [text, shown] of Object.entries(texts))
  test(`${JSON.stringify(text)} is shown as ${shown}`, () => {
    assert.equal(maskText(text, MAIL_DOMAIN), shown);
  });

const gift = (more: object) => ({ gifts: [{ amount: 2500, category: 'coffee', ...more }] });
const shownGift = (more: object) => JSON.stringify(gift(more));

const bodies: Record<string, { sent: unknown; shown: string }> = {
  'an order': {
    sent: gift({
      delivery: { method: 'email', email: 'ada@example.com' },
      personalization: { recipient_name: 'Ada Lovelace', sender_name: 'Charles' },
    }),
    shown: shownGift({
      delivery: { method: 'email', email: 'a•••@example.com' },
      personalization: { recipient_name: 'A•••', sender_name: 'C•••' },
    }),
  },
  'an order to a steering address': {
    sent: gift({ delivery: { method: 'email', email: 'bounced@sandbox.gift.test' } }),
    shown: shownGift({ delivery: { method: 'email', email: 'bounced@sandbox.gift.test' } }),
  },
  'addresses in fields of wrong names': {
    sent: { to: 'ada@example.com', Recipient: 'Ada', tel: 12025550142, cc: ['ada@example.com', '+12025550142'] },
    shown: '{"to":"a•••@example.com","Recipient":"A•••","tel":"••••••0142","cc":["a•••@example.com","+1••••••0142"]}',
  },
  'a name where a word belongs': {
    sent: { method: 'Ada Lovelace', category: 'ada@example.com', outcome: '12025550142' },
    shown: '{"method":"A•••","category":"a•••@example.com","outcome":"••••••0142"}',
  },
  'addresses as names of fields': {
    sent: { 'ada@example.com': { '+12025550142': 1 }, 'Ada Lovelace': 2, sk_0123456789: 3 },
    shown: '{"a•••@example.com":{"+1••••••0142":1},"A•••":2,"s•••":3}',
  },
  'a text alone': { sent: 'ada@example.com', shown: '"a•••@example.com"' },
  'a number alone': { sent: 12025550142, shown: '"••••••0142"' },
  'null, true and small numbers': { sent: [null, true, -1.5, 1e300], shown: '[null,true,-1.5,"1•••"]' },
};

for (const [what, { sent, shown }] of Object.entries(bodies))
  test(`masks personal data in a body: ${what}`, () => {
    assert.equal(maskBody(sent, MAIL_DOMAIN), shown);
  });

function nested(depth: number): unknown {
  let value: unknown = 'ada@example.com';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { inside: value };
  return value;
}

const large: Record<string, unknown> = {
  'a long list': Array.from({ length: 50_000 }, () => ({ email: 'ada@example.com' })),
  'a long text': 'Ada '.repeat(250_000),
  'a long digit string': '1'.repeat(1_000_000),
  'a long name of a field': { ['a'.repeat(1_000_000)]: 1 },
  'many fields': Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`field_${n}`, 'ada@example.com'])),
  'deep lists and objects': nested(100_000),
};

for (const [what, body] of Object.entries(large))
  test(`cuts a body of 1 MB to about 4,000 characters: ${what}`, () => {
    const text = maskBody(body, MAIL_DOMAIN);
    assert.ok(text.length < 5_000, `${text.length} characters`);
    assert.doesNotMatch(text, /ada@|Ada /);
    JSON.parse(text);
  });

const paths: [url: string, shown: string][] = [
  ['/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg/redirect', '/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg/redirect'],
  ['/v1/gifts/gift_01k0/redirect?limit=10&x', '/v1/gifts/gift_01k0/redirect?limit=10&x'],
  ['/v1/gifts/ada@example.com/redirect', '/v1/gifts/a•••@example.com/redirect'],
  ['/v1/gifts/ada%40example.com/redirect', '/v1/gifts/a•••@example.com/redirect'],
  ['/v1/gifts/Ada%20Lovelace/redirect', '/v1/gifts/A•••/redirect'],
  ['/v1/gifts/%00x/redirect', '/v1/gifts/•••/redirect'],
  ['/v1/gifts/%ff/redirect', '/v1/gifts/•••/redirect'],
  ['/v1/gifts/x/redirect?to=%2B12025550142&=a&q==', '/v1/gifts/•••/redirect?to=+1••••••0142&=•••&q=•••'],
  ['/v1/gifts/x/redirect?ada%40example.com=1', '/v1/gifts/•••/redirect?a•••@example.com=1'],
];

for (const [url, shown] of paths)
  test(`masks the path ${url} as ${shown}`, () => {
    assert.equal(maskPath('/v1/gifts/:gift_id/redirect', url, MAIL_DOMAIN), shown);
  });

const params: Record<string, string> = {
  gifts: 'gifts',
  'gifts[0]': 'gifts[0]',
  'gifts[0].delivery.email': 'gifts[0].delivery.email',
  'gifts[9].delivery.e_mail': 'gifts[9].delivery.e_mail',
  'gifts[0].delivery.ada.lovelace@example.com': 'gifts[0].delivery.a•••@example.com',
  'gifts[0].personalization.Ada Lovelace': 'gifts[0].personalization.A•••',
  '+12025550142': '+1••••••0142',
};

for (const [param, shown] of Object.entries(params))
  test(`masks the error param ${param} as ${shown}`, () => {
    const error = new BestowError('parameter_invalid', { param, message: `The field ${param} is not known here.` });
    assert.deepEqual(maskError(error, MAIL_DOMAIN), {
      error_message: `The field ${shown} is not known here.`,
      error_param: shown,
    });
  });

test('masks what people chose in an answer, and keeps ids, times and amounts', () => {
  const answer = {
    gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
    amount: 2500,
    opened_at: '2026-11-21T12:00:00.000Z',
    delivery: { method: 'email', status: 'sent', email: 'ada@example.com', link: 'https://example.com/g/secret' },
    pin: '1234',
    personalization: { recipient_name: 'Ada' },
    metadata: { status: 'lovelace', at: '2026-11-21T12:00:00Z' },
    status: 'claimed',
  };
  assert.deepEqual(JSON.parse(maskAnswer(answer, MAIL_DOMAIN)), {
    ...answer,
    delivery: { method: 'email', status: 'sent', email: 'a•••@example.com', link: 'h•••' },
    pin: '•••',
    personalization: { recipient_name: 'A•••' },
    metadata: { status: 'l•••', at: '2•••' },
  });
});
