import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectability } from '../../../src/core/gifts/find/redirectability.ts';
import { giftSimulations } from '../../../src/core/gifts/find/simulations.ts';
import { type GiftStatus, giftStatus } from '../../../src/core/gifts/gift/present-gift.ts';
import type { GiftState } from '../../../src/core/gifts/gift/queries.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const states = ['pending', 'delivered', 'failed', null] as const;

const gift = (delivery_state: GiftState['delivery_state'], isOpened = false, isClaimed = false): GiftState => ({
  delivery_state,
  opened_at: isOpened ? NOW : null,
  claimed_at: isClaimed ? NOW : null,
});

test('a gift shows the furthest state that it reached', () => {
  const untouched: GiftStatus[] = states.map((state) => giftStatus(gift(state)));
  assert.deepEqual(untouched, ['sent', 'sent', 'failed', 'sent']);
  for (const state of states) {
    assert.equal(giftStatus(gift(state, true)), 'opened');
    assert.equal(giftStatus(gift(state, true, true)), 'claimed');
    assert.equal(giftStatus(gift(state, false, true)), 'claimed');
  }
});

test('only a failed email or phone gift can be redirected, up to the limit', () => {
  const of = (state: GiftState, redirect_count: number, method: 'email' | 'phone' | 'link' = 'email') =>
    redirectability({ ...state, canceled_at: null, is_waiting: null, method, redirect_count, held_by: null }, 3);
  assert.deepEqual(of(gift('failed'), 0), { allowed: true, reason: null, left: 3 });
  assert.deepEqual(of(gift('failed'), 2, 'phone'), { allowed: true, reason: null, left: 1 });
  assert.deepEqual(of(gift('failed'), 3), { allowed: false, reason: 'limit_reached', left: 0 });
  assert.deepEqual(of(gift('failed'), 5), { allowed: false, reason: 'limit_reached', left: 0 });
  assert.deepEqual(of(gift('pending'), 0), { allowed: false, reason: 'not_failed', left: 3 });
  assert.deepEqual(of(gift('failed', true), 3), { allowed: false, reason: 'not_failed', left: 0 });
  assert.deepEqual(of(gift(null), 0, 'link'), { allowed: false, reason: 'link', left: 3 });
  const canceled = { canceled_at: new Date(), is_waiting: null, redirect_count: 0, held_by: null } as const;
  for (const method of ['email', 'link'] as const)
    assert.equal(redirectability({ ...gift('failed'), ...canceled, method }, 3).reason, 'canceled');
});

test('offers the simulations that would change the gift', () => {
  const of = (state: GiftState, spent_cents = 0) => {
    const ordinary = { canceled_at: null, is_waiting: null, held_by: null };
    const possible = giftSimulations({ ...state, ...ordinary, amount_cents: 2500, spent_cents });
    return Object.entries(possible).flatMap(([name, isPossible]) => (isPossible ? [name] : []));
  };
  assert.deepEqual(of(gift('pending')), ['deliver', 'fail', 'open', 'claim']);
  assert.deepEqual(of(gift('failed')), ['deliver', 'open', 'claim']);
  assert.deepEqual(of(gift('delivered')), ['open', 'claim']);
  assert.deepEqual(of(gift(null)), ['open', 'claim']);
  assert.deepEqual(of(gift('pending', true)), ['claim']);
  assert.deepEqual(of(gift('pending', false, true)), ['open', 'spend']);
  assert.deepEqual(of(gift('failed', true, true), 2499), ['spend']);
  assert.deepEqual(of(gift('failed', true, true), 2500), []);
  assert.deepEqual(of(gift('delivered', true, true), 2500), []);
});
