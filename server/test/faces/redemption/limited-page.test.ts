import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() =>
  startTestService({ RATE_LIMIT_ADDRESS_BURST: '1', RATE_LIMIT_ADDRESS_PER_SECOND: '1' }),
);

test('the page of a limited client links only within itself', async () => {
  await fetch(`${service.url}/g/x`);
  for (const token of [
    '%2F%2Fevil.example',
    '%2F%2Fevil.example%2Fclaim',
    'https:%2F%2Fevil.example',
    'javascript:alert(1)',
    '%5Cevil.example',
    '..%2F..%2F%2Fevil.example',
    '%22%3E%3Ca%20href=%2F%2Fevil.example',
  ])
    for (const [path, method] of [
      [token, 'GET'],
      [`${token}/claim`, 'POST'],
    ] as const) {
      const url = `${service.url}/g/${path}`;
      const response = await fetch(url, { method });
      assert.equal(response.status, 429);
      const main = (await response.text()).split('<main')[1] ?? '';
      const targets = [...main.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(
        ([, target = '']) => new URL(target, url),
      );
      assert.ok(targets.length > 0);
      for (const { href } of targets)
        assert.ok(href === `${service.url}/` || href.startsWith(`${service.url}/g/`), href);
    }
});
