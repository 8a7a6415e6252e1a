import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import { openLink, startTestService, type TestService } from '../../harness/test-service.ts';

// PUBLIC_URL has a path: a proxy forwards requests below the path and removes it.

const PUBLIC_URL = 'https://gifts.example.com/shop';

let service: TestService;
before(async () => {
  service = await startTestService({ PUBLIC_URL: `${PUBLIC_URL}/` });
  await service.sql(`update categories set artwork = '/artwork/' || category_id || '.svg'`);
});
after(() => service.close());

/** Fetches a URL as the proxy forwards it. */
const get = (address: string) => fetch(service.url + address.slice(PUBLIC_URL.length), { redirect: 'manual' });

/** Returns every URL of this host on a page, resolved as a browser does. */
function addressesOf(page: string, at: string): string[] {
  const found = [...page.matchAll(/\s(?:href|src|action|data-url)="([^"]*)"/g)];
  const addresses = found.map(([, address = '']) => new URL(address.replaceAll('&#38;', '&'), at));
  return addresses.filter(({ origin }) => origin === new URL(PUBLIC_URL).origin).map(({ href }) => href);
}

/** Asserts that every URL on a page works. @returns the number of URLs */
async function assertLeadsOn(at: string): Promise<number> {
  const addresses = addressesOf(await (await get(at)).text(), at);
  for (const address of new Set(addresses)) {
    assert.ok(address === PUBLIC_URL || address.startsWith(`${PUBLIC_URL}/`), `${address} on ${at}`);
    // A GET of a form's URL leads back to the page.
    const { status } = await get(address);
    assert.ok(status === 200 || status === 303, `${address} on ${at}: ${status}`);
  }
  return addresses.length;
}

test('every URL on every page is below the path and works', async () => {
  const paths = ['/', '/catalog', '/catalog/coffee', '/docs', '/docs/errors', '/docs/search?q=gift', '/docs/api'];
  for (const path of [...paths, '/portal', '/portal/sign-in'])
    assert.ok((await assertLeadsOn(PUBLIC_URL + path)) > 3, path);
});

test('a recipient’s page has its stylesheet, picture and buttons', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([gift({ delivery: { method: 'link' } })]);
  const { link } = body.gifts[0].delivery;
  assert.ok(link.startsWith(`${PUBLIC_URL}/g/`));
  assert.ok((await assertLeadsOn(link)) >= 3);
  await sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/open`);
  const { text } = await openLink(service, link);
  assert.ok(addressesOf(text, link).includes(`${PUBLIC_URL}/artwork/coffee.svg`));
  await assertLeadsOn(link);
});

test('the OpenAPI document names the server below the path', async () => {
  const at = `${PUBLIC_URL}/v1/openapi.json`;
  const { servers } = (await (await get(at)).json()) as { servers: unknown[] };
  const description = 'The address of your Bestow service.';
  assert.partialDeepStrictEqual(servers, [
    { url: '{base_url}', variables: { base_url: { default: PUBLIC_URL, description } } },
  ]);
});

test('text that looks like a URL attribute does not change', async () => {
  const { sandbox } = await service.organization();
  const name = '<a href="/docs">Ada</a>';
  const personalization = { recipient_name: name, sender_name: name };
  const { body } = await sandbox.order([gift({ delivery: { method: 'link' }, personalization })]);
  const { text } = await openLink(service, body.gifts[0].delivery.link);
  const escaped = name.replace(/["&'<=>]/g, (character) => `&#${character.charCodeAt(0)};`);
  assert.ok(text.includes(`<bdi>${escaped}</bdi>`));
});
