import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createLinks } from '../../../src/core/links/links.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Text programs leave a - or _ at the end out of a link, and take what follows it in.

const SECRET = 'a secret of thirty-two characters';
const service = openForFile(() => startTestService());

const claims = () => ({
  organizationId: randomUUID(),
  environment: 'live' as const,
  giftId: randomUUID(),
  version: 0,
  expiresAtMs: 1_800_000_000_000,
});

test('every new link ends in a letter or digit, and is read again', () => {
  const links = createLinks([SECRET], () => 'https://gifts.example.com');
  for (let count = 0; count < 2_000; count += 1) {
    const given = claims();
    const url = links.url(given);
    assert.match(url, /\/g\/[\w-]{75}[A-Za-z0-9]$/);
    assert.deepEqual(links.read(url.split('/').at(-1) ?? ''), given);
    assert.equal(links.url(given), url);
  }
});

test('the page ignores what follows a link in a text', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([linkGift()]);
  const link = new URL(body.gifts[0].delivery.link);
  const open = (end: string) => fetch(service.url + link.pathname + end, { redirect: 'follow' });
  const expected = await (await open('')).text();
  for (const end of ['/', '.', ')', '>', ',', '%E2%80%8B', ').', '%3E,', '"', '%E2%80%9D', ')/'])
    assert.deepEqual([end, (await open(end)).status], [end, 200]);
  assert.equal(await (await open(').')).text(), expected);
  for (const end of ['a', '/a', '/open/', '/a/'])
    assert.ok(
      [303, 404].includes((await fetch(service.url + link.pathname + end, { redirect: 'manual' })).status),
      end,
    );
  assert.equal((await fetch(`${service.url}/g/${'a'.repeat(76)}/`)).status, 404);
});
