import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLinks } from '../../../src/core/links/links.ts';
import { createCipher } from '../../../src/platform/encryption/cipher.ts';
import { gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const tokenOf = (link: string) => link.slice(link.lastIndexOf('/') + 1);

async function orderLink(organization: TestOrganization, personalization = {}): Promise<string> {
  const wanted = gift({ delivery: { method: 'link' }, personalization });
  const { body } = await organization.sandbox.order([wanted]);
  return body.gifts[0].delivery.link;
}

test('a token opens only the gift that it was signed for', async () => {
  const organization = await service.organization();
  const other = await service.organization();
  const link = await orderLink(organization);
  const { links } = service.service.deps;
  const claims = links.read(tokenOf(link));
  assert.ok(claims);
  assert.equal((await openLink(service, links.url(claims))).status, 200);
  const otherGift = links.read(tokenOf(await orderLink(other)))?.giftId ?? '';
  for (const wrong of [
    { environment: 'live' as const },
    { organizationId: other.organizationUuid },
    { giftId: otherGift },
    { version: 0 },
    { version: 2 },
  ])
    assert.equal((await openLink(service, links.url({ ...claims, ...wrong }))).status, 404, JSON.stringify(wrong));
});

/** LINK_SECRET before the rotation of docs/operating.md and after each step. */
function stepsOfRotation(): string[][] {
  const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
  const steps = [...page.matchAll(/^\d\. `LINK_SECRET=([a-z,]+)`/gm)].map(([, names = '']) => names.split(','));
  return [['old'], ...steps].map((names) => names.map((name) => `the ${name} secret of thirty-two characters`));
}

test('during a documented rotation, processes of two steps accept each other’s links', async () => {
  const link = await orderLink(await service.organization());
  const claims = service.service.deps.links.read(tokenOf(link));
  assert.ok(claims);
  const understands = async (made: string[], read: string[]) => {
    const other = await service.second({}, read);
    const { status } = await openLink(other, createLinks(made, () => service.url).url(claims));
    const code = other.service.deps.cipher.decrypt(createCipher(made).encrypt('482913'));
    await other.close();
    return status === 200 && code === '482913';
  };
  const steps = stepsOfRotation();
  assert.notDeepEqual(steps.at(-1), steps[0], 'the page has steps');
  for (const [n, next] of steps.slice(1).entries()) {
    const step = steps[n] ?? [];
    assert.ok(await understands(step, next), `${step} by ${next}`);
    assert.ok(await understands(next, step), `${next} by ${step}`);
  }
  // Positive control: without the first step it fails.
  const [old = [], both = []] = steps;
  assert.equal(await understands([...both].reverse(), old), false);
});

test('one purpose is rotated alone: links end, sessions and codes stay', async () => {
  const secret = '0b7e51c2d94f46a8b3c05d6e7f819a2c4d3e';
  const at = (variables: Record<string, string>) => service.second(variables, [secret]);
  const old = (await at({})).service.deps;
  const ordered = service.service.deps.links.read(tokenOf(await orderLink(await service.organization())));
  const claims = ordered ?? assert.fail();
  const link = old.links.url(claims);
  const next = 'f3b1c6d2a98e4750f3b1c6d2a98e4750d2a9';
  const both = await at({ LINK_SECRET_GIFTS: `${next},${secret}` });
  const rotated = await at({ LINK_SECRET_GIFTS: next });
  assert.equal((await openLink(both, link)).status, 200);
  assert.equal((await openLink(rotated, link)).status, 404);
  const fresh = both.service.deps.links.url(claims);
  assert.notEqual(tokenOf(fresh), tokenOf(link));
  assert.equal((await openLink(rotated, fresh)).status, 200);
  assert.equal(rotated.service.deps.cipher.decrypt(old.cipher.encrypt('482913')), '482913');
  assert.equal(rotated.service.deps.outboxPath, old.outboxPath);
  const codes = await at({ LINK_SECRET_CODES: next });
  assert.equal(codes.service.deps.cipher.decrypt(old.cipher.encrypt('482913')), undefined);
  assert.equal((await openLink(codes, link)).status, 200);
});

test('reading a link with GET or HEAD changes nothing', async () => {
  const organization = await service.organization();
  const link = await orderLink(organization);
  const everything = async () => {
    const tables = ['gifts', 'orders', 'balances', 'ledger_entries', 'sandboxes', 'categories', 'deliveries'];
    const rows: unknown[] = [];
    // `xmin` changes even if an update writes the same values.
    for (const table of tables)
      rows.push(await service.sql(`select xmin, t.* from ${table} t order by t::text collate "C"`));
    return rows;
  };
  const before = await everything();
  const readAll = async (status: number) => {
    for (const method of ['GET', 'HEAD'])
      for (let time = 0; time < 2; time += 1) {
        const read = await openLink(service, link, method);
        assert.deepEqual([read.status, read.text === ''], [status, method === 'HEAD']);
        assert.equal((await openLink(service, `${link}A`, method)).status, 404);
      }
  };
  await readAll(200);
  await service.clock.setTime(service.clock.now() + 31 * 86_400_000);
  await readAll(410);
  assert.deepEqual(await everything(), before);
});

test('a wrapped gift’s page shows the names of the order and has its headers', async () => {
  const organization = await service.organization();
  const link = await orderLink(organization, { recipient_name: 'Ada', sender_name: 'Charles' });
  const { status, text, headers } = await openLink(service, link);
  assert.equal(status, 200);
  assert.ok(text.includes('<h1>A gift for <bdi>Ada</bdi></h1>'));
  assert.ok(text.includes('<p>from <bdi>Charles</bdi></p>'));
  const expected = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'self'; .*frame-ancestors 'none'$/);
  assert.match(headers.get('request-id') ?? '', /^req_/);
  const anonymous = await openLink(service, await orderLink(organization));
  assert.ok(anonymous.text.includes('<h1>A gift for you</h1>'));
  assert.ok(anonymous.text.includes('<p>from <bdi>Test Organization</bdi></p>'));
});

test('a link unfurls as a wrapped gift without personal data', async () => {
  const link = await orderLink(await service.organization(), { recipient_name: 'Ada', sender_name: 'Charles' });
  const { text } = await openLink(service, link);
  const tags = Object.fromEntries(
    [...text.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content]),
  );
  assert.deepEqual([tags['title'], tags['type']], ['A gift for you', 'website']);
  assert.doesNotMatch(text.slice(0, text.indexOf('</head>')), /Ada|Charles|coffee|\$/);
  assert.ok(tags['image']?.startsWith('http'), tags['image']);
  const picture = await fetch(service.url + new URL(tags['image'] ?? '').pathname);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg']);
  const bytes = Buffer.from(await picture.arrayBuffer());
  assert.ok(bytes.length < 60_000, `${bytes.length} bytes`);
});

test('a rate-limited page says so and links back to the gift', async (t) => {
  const limited = await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '1', RATE_LIMIT_ADDRESS_BURST: '1' });
  t.after(() => limited.close());
  const link = await orderLink(await limited.organization());
  const token = tokenOf(link);
  assert.equal((await openLink(limited, link)).status, 200);
  for (const answer of [
    await fetch(`${limited.url}/g/${token}/open`, { method: 'POST' }),
    await fetch(`${limited.url}/g/${token}/open`),
  ]) {
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')],
      [429, 'text/html; charset=utf-8', '1'],
    );
    const text = await answer.text();
    assert.match(text, /<h1>Too many requests<\/h1>/);
    assert.ok(text.includes(`href="../${token}"`));
  }
  const page = await fetch(`${limited.url}/g/${token}`);
  assert.equal(page.status, 429);
  assert.ok((await page.text()).includes(`href="${token}"`));
  await limited.clock.setTime(limited.clock.now() + 1_000);
  assert.equal((await openLink(limited, link)).status, 200);
});
