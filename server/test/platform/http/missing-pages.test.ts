import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStrict } from '../../harness/assert-strict.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const ask = (path: string, headers: Record<string, string> = BROWSER, method = 'GET') =>
  fetch(service.url + path, { method, headers, redirect: 'manual' });
const typeOf = ({ headers }: Response) => headers.get('content-type')?.split(';')[0];

test('a browser at an unknown address sees a page, and a program an error object', async () => {
  for (const path of ['/nothing', '/docs/nothing', '/catalog/nothing', '/outbox']) {
    const page = await ask(path);
    assert.deepEqual([path, page.status, typeOf(page)], [path, 404, 'text/html']);
    const text = await page.text();
    assertStrict(text);
    assert.match(text, /<h1>Page not found<\/h1>/);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    const object = await ask(path, { Accept: '*/*' });
    assert.deepEqual([path, object.status, typeOf(object)], [path, 404, 'application/json']);
  }
});

test('below /v1, and for changes, every client gets the error object', async () => {
  for (const [path, method] of [
    ['/v1', 'GET'],
    ['/v1/nothing', 'GET'],
    ['/v1?x', 'GET'],
    ['/portal/api/nothing', 'GET'],
    ['/hooks/nothing', 'GET'],
    ['/nothing', 'POST'],
  ] as const) {
    const answer = await ask(path, BROWSER, method);
    assert.deepEqual([path, answer.status, typeOf(answer)], [path, 404, 'application/json']);
  }
});

test('a slash at the end of an address of the documentation leads to its page', async () => {
  for (const [path, target] of [
    ['/docs/', '/docs'],
    ['/docs/errors/', '/docs/errors'],
    ['/docs/search/', '/docs/search'],
    ['/docs/api/', '/docs/api'],
  ] as const) {
    const answer = await ask(path);
    assert.equal(answer.status, 308);
    const location = new URL(answer.headers.get('location') ?? '', service.url + path);
    assert.equal(location.pathname, target);
    assert.equal((await ask(target)).status, 200);
  }
});
