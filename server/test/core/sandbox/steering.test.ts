import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { initialState, type SteeringEffect, steer } from '../../../src/core/sandbox/steering.ts';
import { steeringTable } from '../../../src/core/sandbox/steering-table.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { isInMailDomain } from '../../../src/platform/base/destination.ts';
import { createIdGenerator } from '../../../src/platform/base/ids.ts';

const DOMAIN = 'sandbox.example';

/** The table of docs/decisions.md#sandbox-steering and its additions, repeated to catch a slip. */
const expected: [SteeringEffect, localParts: string[], phone: string][] = [
  ['delivered', ['delivered'], '+12025550100'],
  ['failed', ['delivery-failed', 'bounced'], '+12025550101'],
  ['opened', ['opened'], '+12025550102'],
  ['claimed', ['claimed'], '+12025550103'],
  ['spent', ['spent'], '+12025550104'],
  ['processing', ['processing'], '+12025550105'],
  ['insufficient_balance', ['insufficient-balance'], '+12025550106'],
  ['internal_error', ['internal-error'], '+12025550107'],
  ['rate_limit_exceeded', ['rate-limited'], '+12025550108'],
  ['response_lost', ['response-lost'], '+12025550109'],
  ['slow', ['slow'], '+12025550110'],
  ['resource_locked', ['resource-locked'], '+12025550111'],
  ['idempotency_in_progress', ['in-progress'], '+12025550112'],
];

const mail = (address: string) => ({ method: 'email' as const, address });
const steered = (address: string) => steer('sandbox', DOMAIN, mail(address));

test('each address steers, in any case and with a label, and so does its number', () => {
  for (const [effect, localParts, phone] of expected) {
    for (const localPart of localParts) {
      assert.equal(steered(`${localPart}@${DOMAIN}`), effect);
      assert.equal(steered(`${localPart}+a+b@${DOMAIN}`), effect);
      assert.equal(steered(`${localPart.toUpperCase()}@SANDBOX.Example`), effect);
    }
    assert.equal(steer('sandbox', DOMAIN, { method: 'phone', address: phone }), effect);
  }
});

test('other names, domains and numbers, links and live addresses do not steer', () => {
  for (const address of [
    `someone@${DOMAIN}`,
    `opened.by@${DOMAIN}`,
    `+opened@${DOMAIN}`,
    `@${DOMAIN}`,
    `openedx@${DOMAIN}`,
    `x-opened@${DOMAIN}`,
    `opened-@${DOMAIN}`,
    'opened@example.com',
    'opened@sandbox-example',
    `opened@a${DOMAIN}`,
    `opened@mail.${DOMAIN}`,
    `opened@${DOMAIN}.com`,
    `opened@${DOMAIN}@example.com`,
  ])
    assert.equal(steered(address), undefined, address);
  for (const address of ['+12025550113', '+12025550114', '+442025550103', '+120255501030'])
    assert.equal(steer('sandbox', DOMAIN, { method: 'phone', address }), undefined, address);
  assert.equal(steer('sandbox', DOMAIN, { method: 'phone', address: `opened@${DOMAIN}` }), undefined);
  assert.equal(steer('sandbox', DOMAIN, mail('+12025550102')), undefined);
  assert.equal(steer('sandbox', DOMAIN, { method: 'link', address: null }), undefined);
  assert.equal(steer('live', DOMAIN, mail(`opened@${DOMAIN}`)), undefined);
  assert.equal(steer('live', DOMAIN, { method: 'phone', address: '+12025550102' }), undefined);
});

test('the domain of an address begins after its last @', () => {
  assert.equal(isInMailDomain(DOMAIN, `a@b@${DOMAIN}`), true);
  assert.equal(isInMailDomain(DOMAIN, `a@Sandbox.EXAMPLE`), true);
  assert.equal(isInMailDomain(DOMAIN, `${DOMAIN}@example.com`), false);
});

test('a gift begins in the state that its address steers', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const ids = createIdGenerator(systemClock);
  const begin = (effect: SteeringEffect | undefined, method: 'email' | 'phone' | 'link' = 'email') => {
    const { card_id, ...state } = initialState(ids, now, { method, address: null }, effect);
    return { ...state, hasCard: card_id !== null };
  };
  const start = { opened_at: null, claimed_at: null, hasCard: false, isSpent: false };
  const whole = { ...start, delivery_state: 'delivered', opened_at: now };
  assert.deepEqual(begin(undefined), { ...start, delivery_state: 'pending' });
  assert.deepEqual(begin('processing', 'phone'), { ...start, delivery_state: 'pending' });
  assert.deepEqual(begin('delivered'), { ...start, delivery_state: 'delivered' });
  assert.deepEqual(begin('failed'), { ...start, delivery_state: 'failed' });
  assert.deepEqual(begin('opened'), whole);
  assert.deepEqual(begin('claimed'), { ...whole, claimed_at: now, hasCard: true });
  assert.deepEqual(begin('spent'), { ...whole, claimed_at: now, hasCard: true, isSpent: true });
  assert.deepEqual(begin(undefined, 'link'), { ...start, delivery_state: null });
});

test('the OpenAPI description has the steering table', () => {
  const description = readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8');
  const domain = /…@([^ ]+) \| Phone/.exec(description)?.[1] ?? '';
  const table = steeringTable(domain);
  assert.ok(table.startsWith(`| …@${domain} | Phone |`));
  assert.equal(table.split('\n').length, 2 + expected.length);
  assert.ok(description.includes(JSON.stringify(table).slice(1, -1)));
});
