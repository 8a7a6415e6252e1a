import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteOf } from '../src/pages/calendar/gift-notes.ts';

/** What the calendar says below the state of a gift. */

const note = (
  state: Parameters<typeof noteOf>[0]['state'],
  reason: string | null,
  mode: 'sends' | 'approval' = 'sends',
) => noteOf({ state, reason, mode });

test('the reason of a gift is true in its state', () => {
  assert.equal(note('waiting', 'insufficient_balance'), 'The balance is too low.');
  assert.equal(note('missed', 'insufficient_balance'), 'The balance was too low.');
  assert.equal(note('waiting', 'another'), 'It was refused.');
  assert.equal(note('skipped', 'skipped'), null);
  assert.equal(note('skipped', 'changed'), 'The contact was changed.');
  assert.equal(note('canceled', 'removed'), 'The contact was deleted.');
  // Its contact may have been added again.
  for (const state of ['requested', 'scheduled', 'ordered'] as const)
    assert.equal(note(state, 'removed'), 'It was kept when the contact was deleted.');
  assert.equal(note('declined', 'removed'), null);
  assert.equal(note('coming', null, 'approval'), 'With approval');
});
