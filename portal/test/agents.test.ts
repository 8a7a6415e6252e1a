import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeActs, describeEnd, type Grant } from '../src/pages/agents/agent-terms.ts';

const ended = (changes: Partial<Grant>) => describeEnd({ revoked_at: null, expires_at: null, ...changes } as Grant);

test('an ended agent has its reason', () => {
  assert.match(ended({ revoked_at: '2026-01-02T00:00:00Z', expires_at: '2026-01-01T00:00:00Z' }), /^Revoked on Jan/);
  assert.match(ended({ expires_at: '2020-01-02T00:00:00Z' }), /^Expired on Jan/);
  assert.equal(ended({ expires_at: '2999-01-01T00:00:00Z' }), 'Ended with the member who made it');
});

test('what an agent may do is said in words', () => {
  assert.equal(describeActs({ permissions: [], reach: 'all' }), 'Reads all orders and gifts.');
  assert.equal(
    describeActs({ permissions: ['links', 'order', 'manage', 'events'], reach: 'own' }),
    'Orders gifts. Reads and manages only what it ordered itself. Sees links and whole addresses. Follows events.',
  );
});
