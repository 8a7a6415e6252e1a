import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { resources } from '../../../src/capabilities/docs/api-description.ts';
import { guidePath, guides, markdownPath } from '../../../src/capabilities/docs/guides.ts';
import { REFERENCE_PATH, resourcePath } from '../../../src/capabilities/docs/reference-path.ts';
import { steeringAddresses } from '../../../src/core/sandbox/steering.ts';
import { catalogue, type ErrorCode } from '../../../src/platform/base/errors.ts';
import { settings } from '../../../src/platform/configuration/settings.ts';
import { assertStrict } from '../../harness/assert-strict.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const PUBLIC_URL = 'https://gifts.example.com';
const MAIL_DOMAIN = 'steering.example';

const service = openForFile(() => startTestService({ PUBLIC_URL, SANDBOX_MAIL_DOMAIN: MAIL_DOMAIN }));

interface Page {
  status: number;
  headers: Headers;
  text: string;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(service.url + path, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const got = new Map<string, Promise<Page>>();
function getOnce(path: string): Promise<Page> {
  const page = got.get(path) ?? get(path);
  got.set(path, page);
  return page;
}

const paths = guides.map(({ slug }) => guidePath(slug));
const referencePaths = [REFERENCE_PATH, ...resources.map(resourcePath)];
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
const linksOf = (text: string) => [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);

/** Pages for people who work on the code; they are read in the repository. */
const REPOSITORY_ONLY = [
  'architecture.md',
  'asvs.md',
  'decisions.md',
  'dependencies.md',
  'performance.md',
  'reliability.md',
];

test('every file of docs/ is a page at /docs or for the repository only', () => {
  const files = readdirSync(new URL('../../../../docs', import.meta.url)).filter((name) => name.endsWith('.md'));
  const written = guides.map(({ slug }) => slug).filter((slug) => slug !== 'errors');
  assert.deepEqual(files.sort(), [...written.map((slug) => `${slug}.md`), ...REPOSITORY_ONLY].sort());
});

for (const path of [...paths, ...referencePaths])
  test(`${path} is strict HTML with unique ids and working links`, async () => {
    const { status, headers, text } = await get(path);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|script-src (?!'self'$)/);
    assertStrict(text, referencePaths.includes(path) ? 110_000 : 30_000);
    assert.doesNotMatch(text, /localhost:3000|@sandbox\.gift\.test|<!--/);
    if (!referencePaths.includes(path)) assert.doesNotMatch(text, /\\n/);
    const ids = idsOf(text);
    assert.deepEqual(ids, [...new Set(ids)]);
    assert.equal(text.split('aria-current="page"').length - 1, 2, 'in the header and in the list of pages');
    for (const href of new Set(linksOf(text))) {
      const [target = '', anchor] = href.split('#');
      if (target === '') assert.ok(ids.includes(anchor ?? ''), `${href} on ${path}`);
      else {
        const there = await getOnce(target);
        assert.equal(there.status, 200, `${href} on ${path}`);
        if (anchor !== undefined) assert.ok(idsOf(there.text).includes(anchor), `${href} on ${path}`);
      }
    }
  });

test('the first page links to every other page', async () => {
  const [, list = ''] = /<article class="text">(.*?)<p class="source">/s.exec((await get('/docs')).text) ?? [];
  const links = new Set(linksOf(list));
  assert.deepEqual(
    paths.filter((path) => path !== '/docs' && !links.has(path)),
    [],
  );
});

test('previous and next lead through all pages in order', async () => {
  for (const [rel, order] of [
    ['next', paths],
    ['prev', paths.toReversed()],
  ] as const) {
    const walked: string[] = [];
    for (let path = order[0]; path !== undefined; ) {
      walked.push(path);
      path = new RegExp(`rel="${rel}" href="([^"]*)"`).exec((await get(path)).text)?.[1];
    }
    assert.deepEqual(walked, order);
  }
});

test('each page is also served as Markdown, and llms.txt lists all pages', async () => {
  const { text: list, headers } = await get('/llms.txt');
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal((await get('/docs/llms.txt')).text, list);
  assert.match(list, /^# Bestow\n\n> .+\n/);
  const markdowns = [
    ...guides.map(({ slug }) => [guidePath(slug), markdownPath(slug)] as const),
    ...referencePaths.map((page) => [page, `${page}.md`] as const),
  ];
  for (const [page, path] of markdowns) {
    assert.ok(list.includes(`](${PUBLIC_URL}${path})`), path);
    const { status, headers: sent, text } = await get(path);
    assert.equal(status, 200);
    assert.equal(sent.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(text, /^# .+\n/);
    assert.doesNotMatch(text, /localhost:3000|@sandbox\.gift\.test|<!--/);
    assert.ok((await get(page)).text.includes(`href="${path}"`), `${path} is linked`);
  }
  assert.ok(list.includes(`${PUBLIC_URL}/v1/openapi.json`));
});

test('the tables have every steering address and every setting', async () => {
  const sandbox = (await get('/docs/sandbox.md')).text;
  for (const { localParts, phone, description } of steeringAddresses) {
    for (const localPart of localParts) assert.ok(sandbox.includes(`\`${localPart}\``), localPart);
    assert.ok(sandbox.includes(`| \`${phone}\` | ${description} |`), phone);
  }
  assert.ok(sandbox.includes(`| …@${MAIL_DOMAIN} |`));
  const configuration = (await get('/docs/configuration.md')).text;
  for (const name of Object.keys(settings)) assert.ok(configuration.includes(`| \`${name}\` |`), name);
});

/** Every page with a file, by name. */
const written = guides
  .filter(({ slug }) => slug !== 'errors')
  .map(({ slug }) => [slug, readFileSync(new URL(`../../../../docs/${slug}.md`, import.meta.url), 'utf8')] as const);

const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

test('every steering address, setting, error code and command in a page exists', () => {
  const localParts = new Set(steeringAddresses.flatMap((address) => address.localParts));
  const commands = readFileSync(new URL('../../../../docs/commands.md', import.meta.url), 'utf8');
  const counts = { addresses: 0, settings: 0, codes: 0, commands: 0 };
  for (const [slug, text] of written) {
    for (const localPart of named(text, /([a-z-]+)(?:\+\w+)?@sandbox\.gift\.test/g)) {
      assert.ok(localParts.has(localPart), `${localPart} in ${slug}`);
      counts.addresses += 1;
    }
    // Those that begin with BESTOW_ are variables of the clients, not settings of the service.
    for (const name of named(text, /`((?!BESTOW_)[A-Z]+_[A-Z_]+)(?:=\w+)?`/g)) {
      assert.ok(name in settings, `${name} in ${slug}`);
      counts.settings += 1;
    }
    for (const [, status, code = ''] of text.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)) {
      assert.equal(String(catalogue[code as ErrorCode]?.status), status, `${code} in ${slug}`);
      counts.codes += 1;
    }
    for (const command of named(text, /`(bestow [a-z]+(?: [a-z]+)?)/g)) {
      assert.ok(commands.includes(`| \`${command}`), `${command} in ${slug}`);
      counts.commands += 1;
    }
  }
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 4, `${count} ${what}`);
});

test('limits that a setting changes are never stated as fixed', async () => {
  const texts = await Promise.all(
    ['/v1/openapi.json', ...guides.map(({ slug }) => markdownPath(slug))].map((path) => get(path)),
  );
  const stated = texts.flatMap(({ text }) =>
    named(text, /([^.|]*(?:redirected five times|up to five times|[|] 5 times|links? lives? 30 days)[^.|]*)/gi),
  );
  assert.ok(stated.length >= 5, stated.join('\n'));
  for (const sentence of stated) assert.match(sentence, /unless the operator has set another/);
});

test('a page and its Markdown answer 304 to a client that has them', async () => {
  for (const path of [
    '/docs',
    '/docs/quickstart',
    '/docs/errors',
    '/docs/quickstart.md',
    '/docs/api/orders.md',
    '/llms.txt',
  ]) {
    const { headers } = await get(path);
    const again = await get(path, { 'If-None-Match': headers.get('etag') ?? '' });
    assert.deepEqual([again.status, again.text], [304, ''], path);
    assert.equal(again.headers.get('cache-control'), headers.get('cache-control'));
  }
});

const found = (text: string) => [...text.matchAll(/<li>\n<h2><a href="([^"]*)">/g)].map(([, address = '']) => address);

for (const [query, address] of [
  ['idempotency', '/docs/concepts#idempotency'],
  ['IDEMPOT', '/docs/concepts#idempotency'],
  ['gift_already_redeemed', '/docs/errors#gift_already_redeemed'],
  ['rotate LINK_SECRET', '/docs/operating#replace-the-link-secret'],
  ['replace link secret', '/docs/operating#replace-the-link-secret'],
  ['TRUST_PROXY', '/docs/configuration#every-setting'],
  ['response-lost', '/docs/sandbox#test-addresses'],
  ['dkim', '/docs/sending#your-domain'],
  ['erase person', '/docs/privacy#erase-a-person'],
  ['ending_before', '/docs/pagination#a-page'],
  ['how do I retry an order safely', '/docs/concepts#idempotency'],
  ['idempotancy', '/docs/concepts#idempotency'],
  ['Where do I change the spending limit of an agent?', '/docs/limits#spending'],
  ['gdpr', '/docs/privacy#erase-a-person'],
  ['createOrder', '/docs/api/orders#createOrder'],
  ['place an order', '/docs/api/orders#createOrder'],
  ['POST /v1/gifts/{gift_id}/resend', '/docs/api/gifts#resendGift'],
  ['GiftDelivery', '/docs/api/gifts#GiftDelivery'],
  ['balance_after', '/docs/api/balance#BalanceEntry'],
] as const)
  test(`a search for “${query}” finds ${address}, without JavaScript`, async () => {
    const { status, text } = await get(`/docs/search?${new URLSearchParams({ q: query })}`);
    assert.equal(status, 200);
    assertStrict(text);
    assert.ok(found(text).includes(address), found(text).join('\n'));
    assert.ok(found(text).length <= 20);
  });

test('a search for “retry” begins with the rules for retries', async () => {
  assert.equal(found((await get('/docs/search?q=retry')).text)[0], '/docs/errors#retry');
});

test('the search page shows every query as text', async () => {
  for (const q of [
    'constructor',
    '__proto__',
    '<script>alert(1)</script>',
    '"><img src=x>',
    '((((',
    '\\',
    '\u0000',
    'a'.repeat(10_000),
    'é ñ',
  ]) {
    const { status, text } = await get(`/docs/search?${new URLSearchParams({ q })}`);
    assert.equal(status, 200, q.slice(0, 20));
    assertStrict(text);
    assert.doesNotMatch(text, /<img src=x|alert\(1\)<\/script>/);
  }
  for (const path of ['/docs/search', '/docs/search?q=', '/docs/search?q=a&q=b']) {
    const { status, text } = await get(path);
    assert.equal(status, 200);
    assert.match(text, /<h1>Search<\/h1>/);
  }
  assert.match((await get('/docs/search?q=zzzzzz')).text, /<h1>Nothing found<\/h1>/);
});

test('the addresses of pages, error codes and the API reference keep working', async () => {
  assert.ok((await get('/docs')).text.includes('href="/docs/api"'));
  assert.ok(idsOf((await get('/docs/errors')).text).includes('parameter_invalid'));
  assert.ok(idsOf((await get('/docs/api')).text).includes('createOrder'));
  assert.equal((await get('/docs/nothing')).status, 404);
});
