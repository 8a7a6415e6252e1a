import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { listStock, uploadCodes } from '../../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { warnOfLowStock } from '../../../src/capabilities/issuers/own-codes/warn-of-low-stock.ts';
import { showIssuers } from '../../../src/capabilities/issuers/show-issuers.ts';
import { linkGift } from '../../harness/api-client.ts';
import { scrape } from '../../harness/metrics-text.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { openLink, startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// Codes that the operator uploaded: each is handed out once, and only its holder sees it.

const service = openForFile(() => startTestService());

const DAY_MS = 86_400_000;
const TERMS = 'https://shop.example/terms';
const lineOf = (value: string, code: string) => `${value},${code},4711,2027-11-30,Corner Shop,${TERMS}`;
const csvOf = (...lines: string[]) => ['value,code,pin,expires,shop,terms_url', ...lines].join('\n');

const upload = ({ organizationUuid }: TestOrganization, csv: string) =>
  uploadCodes(service.service.deps, {
    organizationId: organizationUuid,
    categoryId: 'coffee',
    csv,
    actor: OPERATOR,
  });

async function withCodes(settings: Record<string, string>, ...lines: string[]): Promise<TestOrganization> {
  const organization = await service.organization({ live: 10_000_000 });
  const chosen = { organizationId: organization.organizationUuid, kind: 'codes', settings, actor: OPERATOR };
  await addIssuer(service.service.deps, chosen);
  if (lines.length > 0) await upload(organization, csvOf(...lines));
  return organization;
}

async function orderLinks({ live }: TestOrganization, count: number, cents = 2500): Promise<string[]> {
  const links: string[] = [];
  while (links.length < count) {
    const { body } = await live.order(
      Array.from({ length: Math.min(10, count - links.length) }, () => linkGift(cents)),
    );
    for (const { delivery } of body.gifts) links.push(delivery.link);
  }
  return links;
}

const press = (at: TestService, link: string, act: string, headers: Record<string, string> = {}) =>
  fetch(`${at.url}/g/${link.slice(-76)}/${act}`, { method: 'POST', redirect: 'manual', headers });

/** Claims a gift and returns what its holder sees. */
async function claimAndShow(link: string): Promise<string> {
  const claimed = await press(service, link, 'claim');
  assert.equal(claimed.status, 303);
  const cookie = claimed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  return (await press(service, link, 'reveal', { cookie })).text();
}

test('of a hundred claims on two processes with sixty codes, sixty get one each', async () => {
  const codes = Array.from({ length: 60 }, (_, n) => `CODE-${n}`);
  const organization = await withCodes({}, ...codes.map((code) => lineOf('25.00', code)));
  const other = await service.second();
  const links = await orderLinks(organization, 100);
  const answers = await Promise.all(links.map((link, n) => press(n % 2 ? service : other, link, 'claim')));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 303).length, 60);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(refused.length, 40);
  assert.match((await refused[0]?.text()) ?? '', /There is no code left .* please come back later/);
  const handedOut = await service.sql<{ codes: number; gifts: number; claimed: number }>(
    `select count(*)::integer as codes, count(distinct gift_id)::integer as gifts,
       (select count(*)::integer from gifts where organization_id = $1 and claimed_at is not null) as claimed
     from shop_codes where organization_id = $1 and gift_id is not null`,
    [organization.organizationUuid],
  );
  assert.deepEqual(handedOut, [{ codes: 60, gifts: 60, claimed: 60 }]);
});

test('twenty claims of one gift take one code', async () => {
  const organization = await withCodes({}, lineOf('25.00', 'A'), lineOf('25.00', 'B'));
  const [link = ''] = await orderLinks(organization, 1);
  await Promise.all(Array.from({ length: 20 }, () => press(service, link, 'claim')));
  const taken = await service.sql('select 1 from shop_codes where organization_id = $1 and gift_id is not null', [
    organization.organizationUuid,
  ]);
  assert.equal(taken.length, 1);
});

test('only the holder sees the code, and each reveal is in the audit log', async () => {
  const organization = await withCodes({}, lineOf('25.00', 'SECRET-1'));
  const [link = ''] = await orderLinks(organization, 1);
  const shown = await claimAndShow(link);
  assert.match(shown, /SECRET-1/);
  assert.match(shown, /4711/);
  assert.match(shown, /Corner Shop/);
  assert.match(shown, /shop\.example\/terms/);
  const hidden = (await openLink(service, link)).text;
  assert.ok(!hidden.includes('SECRET-1') && !hidden.includes('4711'));
  assert.ok(!(await (await press(service, link, 'reveal')).text()).includes('SECRET-1'));
  const revealed = await service.sql(
    `select actor_kind, details from audit_events where organization_id = $1 and action = 'card.revealed'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(revealed, [{ actor_kind: 'recipient', details: { kind: 'code' } }]);
});

test('codes are sealed at rest', async () => {
  const organization = await withCodes({}, lineOf('25.00', 'PLAINTEXT-CODE'));
  const rows = await service.sql('select shop_codes::text as row from shop_codes where organization_id = $1', [
    organization.organizationUuid,
  ]);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes('PLAINTEXT-CODE') && !JSON.stringify(rows).includes('4711'));
});

test('a value that no code has waits, or is made up from two codes', async () => {
  const lines = [lineOf('10.00', 'TEN'), lineOf('15.00', 'FIFTEEN'), lineOf('20.00', 'TWENTY')];
  const strict = await withCodes({ combine: 'no' }, ...lines);
  const [refused = ''] = await orderLinks(strict, 1);
  assert.equal((await press(service, refused, 'claim')).status, 503);
  const combining = await withCodes({ combine: 'yes' }, ...lines);
  const [link = ''] = await orderLinks(combining, 1);
  const shown = await claimAndShow(link);
  assert.ok(shown.includes('FIFTEEN') && shown.includes('TEN') && !shown.includes('TWENTY'));
});

test('an expired code is not handed out, and is no stock for portal, mail and metric', async () => {
  const metered = await service.second({ METRICS_PORT: '0' });
  const { deps } = metered.service;
  const day = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const codeOf = (code: string, expires: string) => `25.00,${code},,${expires},Corner Shop,`;
  const organization = await withCodes({ low_stock: '2' }, codeOf('A', day(1)), codeOf('B', day(1)), codeOf('C', ''));
  const id = organization.organizationUuid;
  const seen = async () => {
    await warnOfLowStock(deps);
    const [stock] = await listStock(deps, id);
    const [issuer] = await showIssuers(deps, id);
    const mails = await service.sql(
      `select details->>'left' as left from notices where kind = 'codes_low' and organization_id = $1`,
      [id],
    );
    const { bestow_code_stocks_low: low } = await scrape(metered.service.metricsAddress() ?? '');
    return { stock: [stock?.in_stock, stock?.expired, stock?.first_expires], shown: issuer?.stock, mails, low };
  };
  const before = await seen();
  assert.deepEqual([before.stock, before.mails], [[3, 0, day(1)], []]);
  await service.clock.jump(DAY_MS);
  assert.deepEqual(await seen(), {
    stock: [1, 2, null],
    shown: { codes: 1, is_low: true },
    mails: [{ left: '1' }],
    low: (before.low ?? 0) + 1,
  });
  const [first = '', second = ''] = await orderLinks(organization, 2);
  assert.deepEqual(
    [(await press(service, first, 'claim')).status, (await press(service, second, 'claim')).status],
    [303, 503],
  );
  for (const expires of [day(0), day(-1)])
    await assert.rejects(upload(organization, csvOf(lineOf('25.00', 'D'), codeOf('E', expires))), {
      message: `Line 3: expires must be after today (${day(0)}); leave the code out.`,
    });
});

test('codes are read after sep=, below a title, and with the currency’s sign', async () => {
  const organization = await withCodes({});
  const file = 'sep=;\nCodes of November\nValue;Code;Shop\n$25;A;Bean\n25,00;B;Bean\n\nUSD 10;C;Bean\n';
  assert.deepEqual(await upload(organization, file), { added: 3, known: 0 });
});

test('a code that is known already is skipped, and a wrong line refuses the file', async () => {
  const organization = await withCodes({}, lineOf('25.00', 'A'));
  assert.deepEqual(await upload(organization, csvOf(lineOf('25.00', 'A'), lineOf('25.00', 'B'))), {
    added: 1,
    known: 1,
  });
  const refusals = [
    [csvOf(lineOf('25.00', 'C'), '25,D,,soon,Shop,'), /^Line 3: expires must be a date/],
    [csvOf('0.00,D,,,Shop,'), /^Line 2: value must be above zero/],
    [csvOf('25.00,,,,Shop,'), /^Line 2: code is empty/],
    [csvOf('25.00,D'), /^Line 2 has 2 cells instead of 6/],
    [csvOf('25.00,D,,,Shop,http://shop.example'), /^Line 2: terms_url must begin with https/],
    [csvOf('25.00,D,,,Shop,https://shop.example/a b'), /^Line 2: terms_url must .* have no spaces/],
    [csvOf(`25.00,D,,,Shop,https://shop.example/${'a'.repeat(2_000)}`), /^Line 2: terms_url has more than 2000/],
    [
      csvOf(lineOf('25.00', 'C'), '25.00,D,,,Shop,"https://shop.example', lineOf('25.00', 'E')),
      /^Line 3 opens a quotation/,
    ],
    [csvOf('25.00,D,,,"Shop\n25.00",'), /^Line 2: shop must be on one line/],
    [csvOf('25.00,D,,,"Bean" Shop,'), /^Line 2 has text after a closing quotation mark/],
    [csvOf('25.00,D,,,12" Records,'), /^Line 2 has a single quotation mark/],
    ...['2027-02-30', '2027-04-31', '2027-02-29', '0000-00-01', '30.11.2027'].map(
      (day) => [csvOf(`25.00,D,,${day},Shop,`), /^Line 2: expires must be a date that exists/] as const,
    ),
    ...['-25', '(25.00)', '€25', '.50', '25%', '2 5', '25k'].map(
      (value) => [csvOf(`${value},D,,,Shop,`), /^Line 2: value must be an amount/] as const,
    ),
    [csvOf('1.250,D,,,Shop,'), /can be read in two ways/],
    [csvOf('25.00,D,,,Sh\0op,'), /^Line 2: shop has a character that cannot be seen/],
    [csvOf('25.00,D,,,Shop,https://shop.example/\0'), /^Line 2: terms_url has a character that cannot be seen/],
    [csvOf('25.00,D,,,Caf\ufffd,'), /^Line 2: shop has the sign �/],
    [csvOf('25.00,D,,,Caf\ud83c,'), /^Line 2: shop has the sign �/],
    ['value,code,store\n1,2,3', /^Line 1: there is no column “store”/],
    ['value,code\n1,2', /^Line 1: the column shop is missing/],
    ['value,code,shop', /no lines after the headings/],
    ['value,code,shop,Code\n25,A,Bean,B', /^Line 1: the column Code is there twice/],
    ['value,code,shop,\n25,A,Bean,B', /^Line 2 has text in column 4, which has no heading/],
  ] as const;
  for (const [csv, message] of refusals) await assert.rejects(upload(organization, csv), { message });
  const stock = await service.sql('select 1 from shop_codes where organization_id = $1', [
    organization.organizationUuid,
  ]);
  assert.equal(stock.length, 2);
});

test('a quoted field may hold commas and quotes', async () => {
  const organization = await withCodes({}, '25.00,"A,""1""",,,"Shop, corner",');
  const [link = ''] = await orderLinks(organization, 1);
  assert.match(await claimAndShow(link), /A,&quot;1&quot;|A,"1"|A,&#34;1&#34;/);
});

test('the admins get one mail when few codes are left, and another after a refill', async () => {
  const organization = await withCodes({ low_stock: '2' }, lineOf('25.00', 'A'));
  const mails = () =>
    service.sql(`select details->>'left' as left from notices where kind = 'codes_low' and organization_id = $1`, [
      organization.organizationUuid,
    ]);
  const { deps } = service.service;
  await warnOfLowStock(deps);
  await warnOfLowStock(deps);
  assert.deepEqual(await mails(), [{ left: '1' }]);
  await upload(organization, csvOf(lineOf('25.00', 'B')));
  await warnOfLowStock(deps);
  const [link = ''] = await orderLinks(organization, 1);
  assert.equal((await press(service, link, 'claim')).status, 303);
  await warnOfLowStock(deps);
  assert.equal((await mails()).length, 2);
});

test('a category has one issuer at most, and an unknown setting is refused', async () => {
  const organization = await withCodes({});
  const { deps } = service.service;
  const chosen = { organizationId: organization.organizationUuid, kind: 'codes', settings: {}, actor: OPERATOR };
  await assert.rejects(addIssuer(deps, chosen), /has an issuer already/);
  await addIssuer(deps, { ...chosen, categoryId: 'books' });
  await assert.rejects(addIssuer(deps, { ...chosen, settings: { color: 'red' } }), /has no setting color/);
  await assert.rejects(addIssuer(deps, { ...chosen, kind: 'bank' }), /no issuer of the kind bank/);
});

test('a code is also drawn as tills scan it, for its holder, if the operator wants that', async () => {
  const drawn = async (barcode: string, code: string) => {
    const organization = await withCodes({ barcode }, lineOf('25.00', code));
    const [link = ''] = await orderLinks(organization, 1);
    const text = await claimAndShow(link);
    assert.match(text, new RegExp(`<span class="digits">${code}</span>`));
    assert.doesNotMatch(await (await fetch(service.url + new URL(link).pathname)).text(), /class="barcode"/);
    return /<div class="barcode" role="img" aria-label="Barcode">(<svg.*?<\/svg>)/s.exec(text)?.[1];
  };
  for (const symbology of ['code128', 'qrcode', 'azteccode', 'datamatrix', 'pdf417'])
    assert.match((await drawn(symbology, `ABCD-${symbology}`)) ?? '', /^<svg viewBox="[^"]+" xmlns="[^"]+">\s*<path /);
  assert.ok(await drawn('ean13', '4006381333931'));
  assert.equal(await drawn('ean13', 'LETTERS-1'), undefined);
  await assert.rejects(withCodes({ barcode: 'code12' }), /barcode must be one of code128, ean13, /);
});
