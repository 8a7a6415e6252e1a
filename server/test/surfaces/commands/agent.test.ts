import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCommandLine, UNKNOWN_ORGANIZATION } from '../../harness/command-line.ts';

const { assertRefused, bestow, json } = openCommandLine();

const createOrganization = async () =>
  (await json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test')).organization_id as string;

test('agent create, list, limit, token and revoke', async () => {
  const organizationId = await createOrganization();
  const wish = ['--org', organizationId, '--environment', 'sandbox', '--name', 'Assistant'];
  const created = await json('agent', 'create', ...wish, '--preset', 'buyer', '--life-limit', '100000');
  assert.match(created.token, /^bestow-agent-sandbox-/);
  const own = ['--may', 'order', '--may', 'links', '--reach', 'all', '--members-only'];
  await json('agent', 'create', ...wish, ...own);

  const listed = await json('agent', 'list', '--org', organizationId);
  const [other, grant] = listed;
  assert.deepEqual([grant.grant_id, grant.permissions, grant.reach], [created.grant_id, ['order'], 'own']);
  const caps = Object.values<{ cap: number } | null>(grant.limits).map((limit) => limit?.cap);
  assert.deepEqual(caps, [10_000, 10_000, undefined, 50_000, 100_000]);
  assert.deepEqual([other.permissions, other.reach, other.members_only], [['order', 'links'], 'all', true]);
  const limited = await json('agent', 'limit', grant.grant_id, '--day-limit', '20000', '--order-limit', 'off', '--yes');
  assert.deepEqual([limited.limits.day.cap, limited.limits.order], [20_000, null]);
  const replaced = await json('agent', 'token', grant.grant_id, '--overlap-hours', '0', '--yes');
  assert.notEqual(replaced.token, created.token);
  const revoked = await json('agent', 'revoke', grant.grant_id, '--yes');
  assert.deepEqual([revoked.is_active, revoked.hint], [false, `bestow-agent-sandbox-…${replaced.token.slice(-4)}`]);

  const shown = await bestow(['agent', 'list', '--org', organizationId]);
  assert.match(shown.stdout, /read, order, links/);
  await assertRefused(/^There is no active grant/, ['agent', 'token', grant.grant_id, '--overlap-hours', '0']);
  await assertRefused(/^There is no grant x\.\n$/, ['agent', 'revoke', 'x', '--yes']);
  await assertRefused(/^There is no category gold\./, ['agent', 'create', ...wish, '--category', 'gold']);
  const wrong = await bestow(['agent', 'create', ...wish, '--may', 'all']);
  assert.deepEqual([wrong.code, /must be one of links, order, manage, events/.test(wrong.stderr)], [2, true]);
  const elsewhere = ['agent', 'create', ...wish.with(1, UNKNOWN_ORGANIZATION)];
  await assertRefused(/^There is no organization/, elsewhere);
});
