import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsMarkdown } from '../../../src/capabilities/docs/errors-page.ts';
import { openLibrary } from '../../../src/capabilities/docs/library.ts';
import { catalogue, errorCodes } from '../../../src/platform/base/errors.ts';
import { assertStrict } from '../../harness/assert-strict.ts';

const { pages } = await openLibrary({
  publicUrl: 'https://gifts.example',
  sandboxMailDomain: 'sandbox.gift.test',
  stylePath: '/docs/assets/guide.css',
  scriptPath: '/docs/assets/guide.js',
  describe: () => ({}),
});
const document = pages.errors.document.html;
const asText = document
  .replaceAll(/<[^>]+>/g, ' ')
  .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

test('the errors page is strict HTML', () => {
  assertStrict(document);
});

for (const code of errorCodes)
  test(`${code} has its anchor, status, type, retry class, message, cause and fix`, () => {
    const { status, type, retry, message, cause, fix } = catalogue[code];
    assert.equal(document.split(`id="${code}"`).length, 2, 'one anchor');
    const [, entry = ''] = document.split(`id="${code}"`);
    assert.match(
      entry.slice(0, 400),
      new RegExp(`Status ${status} · <code>${type}</code> · retry: <code>${retry}</code>`),
    );
    for (const text of [message, cause, fix]) assert.ok(asText.includes(text), text);
    assert.match(document, new RegExp(`<li><a href="#${code}">`));
    for (const text of [message, cause, fix]) assert.ok(errorsMarkdown().includes(text), text);
  });

test('the errors page says how to wait and what to do if the outcome is unknown', () => {
  assert.match(asText, /0\.5 s, 1 s, 2 s .* 10 s/);
  assert.match(asText, /Retry-After/);
  assert.match(asText, /same +Idempotency-Key/);
  assert.match(asText, /"doc_url"\s*:\s*"https:\/\/gifts\.example\/docs\/errors#parameter_invalid"/);
});
