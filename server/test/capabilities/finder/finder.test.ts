import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';

// A recipient finds the live gifts of an address, of every organization, after a code to it.

const service = openForFile(() => startTestService({ TRUST_PROXY: '127.0.0.1' }));
const MINUTE_MS = 60_000;

type Form = Record<string, string>;

/** A browser keeps its cookie, and is in its own network. */
interface Browser {
  post(path: string, form: Form, headers?: Record<string, string>, at?: string): Promise<Response>;
}

let networks = 0;
function openBrowser(network = newNetwork()): Browser {
  let cookie = '';
  return {
    async post(path, form, headers = {}, at = service.url) {
      const answer = await fetch(`${at}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'x-forwarded-for': network, ...(cookie === '' ? {} : { cookie }), ...headers },
        body: new URLSearchParams(form).toString(),
      });
      cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? cookie;
      return answer;
    },
  };
}

function newNetwork(): string {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${networks % 250}`;
}

/** No other test has used it. */
const newAddress = () => `Finder-${randomUUID()}@example.com`;

async function order(address: string, environment: 'live' | 'sandbox' = 'live', sender_name = 'Charles') {
  const organization = await service.organization();
  const delivery = address.startsWith('+') ? { method: 'phone', phone: address } : { method: 'email', email: address };
  const { status, body } = await organization[environment].order([
    gift({ delivery, personalization: { sender_name } }),
  ]);
  assert.equal(status, 201);
  return { organization, giftId: body.gifts[0].gift_id as string };
}

/** The codes that were made for an address, latest last. */
async function codesOf(address: string) {
  const rows = await service.sql<{ sealed: string; details: { channel: string } }>(
    `select details->>'sealed_code' as sealed, details from portal.codes
     where kind = 'finder_code' and recipient = $1 order by code_id`,
    [address],
  );
  return rows.map(({ sealed, details }) => ({
    code: service.service.deps.cipher.decrypt(sealed) ?? '',
    channel: details.channel,
  }));
}

/** Asks for a code and returns it, whether it is new or not. */
async function ask({ post }: Browser, address: string): Promise<string> {
  assert.equal((await post('/find', { address })).status, 200);
  return (await codesOf(address)).at(-1)?.code ?? '';
}

const enter = async ({ post }: Browser, address: string, digits: string) =>
  (await post('/find/gifts', { address, digits })).status;

const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');
const wait = (minutes: number) => service.clock.jump(minutes * MINUTE_MS);

async function find(address: string, spelled = address) {
  const browser = openBrowser();
  const digits = await ask(browser, address);
  const answer = await browser.post('/find/gifts', { address: spelled, digits });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    links: [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, link]) => `${link}`),
  };
}

test('a code leads to the live gifts of all organizations, with working links', async () => {
  const address = newAddress();
  const [first, second] = [await order(address), await order(address.toUpperCase(), 'live', 'Grace')];
  await order(address, 'sandbox');
  await order(newAddress());
  const canceled = await order(address);
  await canceled.organization.live.post(`/v1/gifts/${canceled.giftId}/cancel`);
  await service.clock.setTime(service.clock.now() + 31 * 86_400_000);
  const { status, text, links } = await find(address, address.toLowerCase());
  assert.deepEqual([status, links.length], [200, 2]);
  assert.match(text, /From <bdi>Grace<\/bdi>.*Still wrapped.*From <bdi>Charles<\/bdi>/s);
  assert.doesNotMatch(text, /coffee|25\.00/);
  for (const link of links) assert.equal((await openLink(service, link)).status, 200);
  for (const { organization } of [first, second]) {
    const [event] = await service.sql(
      `select action, details from audit_events where organization_id = $1 order by event_id desc limit 1`,
      [organization.organizationUuid],
    );
    assert.deepEqual(event, { action: 'gifts.found', details: { gifts: 1 } });
  }
});

test('an address finds the link gifts whose holder entered it, also by a page whose link has expired', async () => {
  const address = newAddress();
  const organization = await service.organization();
  const { body } = await organization.live.order([linkGift()]);
  const { link } = body.gifts[0].delivery;
  await createRecipient(service).press(link, 'claim', { holder_email: address.toUpperCase() });
  await service.clock.setTime(service.clock.now() + 40 * 86_400_000);
  const expired = await openLink(service, link);
  assert.equal(expired.status, 410);
  assert.match(expired.text, /<a class="button" href="\/find">Find your gifts by your address</);
  const { links } = await find(address);
  assert.equal(links.length, 1);
  assert.equal((await openLink(service, links[0] ?? '')).status, 200);
});

test('a phone number finds its gifts in any spelling', async () => {
  await order('+12025550188');
  const browser = openBrowser();
  const digits = await ask(browser, '+1 (202) 555-0188').then(async () => (await codesOf('+12025550188'))[0]);
  assert.equal(digits?.channel, 'phone');
  const answer = await browser.post('/find/gifts', { address: '+1-202-555-0188', digits: digits?.code ?? '' });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /Your gift<.*From <bdi>Charles/s);
});

test('an unknown address gets the same answers', async () => {
  const [known, unknown] = [newAddress(), newAddress()];
  await order(known);
  const [here, there] = [openBrowser(), openBrowser()];
  const same = async (path: string, form = {}) => {
    const answers = await Promise.all([
      here.post(path, { address: known, ...form }),
      there.post(path, { address: unknown, ...form }),
    ]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    assert.equal(answers[0]?.status, answers[1]?.status);
    assert.equal(texts[0]?.replaceAll(known, ''), texts[1]?.replaceAll(unknown, ''));
  };
  await same('/find');
  const taken = new Set((await Promise.all([known, unknown].map(codesOf))).flat().map(({ code }) => code));
  await same('/find/gifts', { digits: ['000001', '000002', '000003'].find((code) => !taken.has(code)) });
});

test('a code works once, has five attempts and ends after ten minutes', async () => {
  const address = newAddress();
  await order(address);
  const browser = openBrowser();
  const askLater = async () => {
    await wait(2);
    return ask(browser, address);
  };
  const once = await askLater();
  assert.deepEqual([await enter(browser, address, once), await enter(browser, address, once)], [200, 422]);
  const tried = await askLater();
  for (const wrong of [...Array(4).fill(wrongFor(tried)), '１２３４５６'])
    assert.equal(await enter(browser, address, wrong), 422);
  assert.equal(await enter(browser, address, tried), 422);
  const late = await askLater();
  await wait(11);
  assert.equal(await enter(browser, address, late), 422);
});

test('a network gets one code a minute and five a day for an address, in any browser', async () => {
  const [address, network] = [newAddress(), newNetwork()];
  for (let n = 0; n < 7; n += 1) {
    await Promise.all([openBrowser(network), openBrowser(network)].map((browser) => ask(browser, address)));
    await wait(2);
  }
  assert.equal((await codesOf(address)).length, 5);
});

test('a code works only in the browser that asked, whose attempts no one else uses up', async () => {
  const address = newAddress();
  await order(address);
  const [own, stranger, third] = [openBrowser(), openBrowser(), openBrowser()];
  const code = await ask(own, address);
  const other = await ask(stranger, address);
  for (let n = 0; n < 5; n += 1) {
    assert.equal(await enter(stranger, address, other === code ? wrongFor(code) : code), 422);
    assert.equal(await enter(third, address, code), 422);
  }
  assert.equal(await enter(own, address, code), 200);
});

test('a stranger who asks all day takes no code from the address’s owner', async () => {
  const address = newAddress();
  await order(address);
  const network = newNetwork();
  for (let n = 0; n < 9; n += 1) {
    await ask(openBrowser(network), address);
    await wait(2);
  }
  const own = openBrowser();
  assert.equal(await enter(own, address, await ask(own, address)), 200);
});

test('fifty codes a day go to an address, from all networks together', async () => {
  const address = newAddress();
  await Promise.all(Array.from({ length: 60 }, () => ask(openBrowser(), address)));
  assert.equal((await codesOf(address)).length, 50);
});

test('after twenty wrong codes ever, an address gets codes of twelve digits, which still work', async () => {
  const address = newAddress();
  await order(address);
  for (let n = 0; n < 4; n += 1) {
    const stranger = openBrowser();
    const wrong = wrongFor(await ask(stranger, address));
    for (let attempt = 0; attempt < 5; attempt += 1) await enter(stranger, address, wrong);
    await service.clock.jump(3 * 86_400_000);
  }
  const own = openBrowser();
  const page = await (await own.post('/find', { address })).text();
  assert.match(page, /pattern="\[0-9\]\{12\}" maxlength="12"/);
  const code = (await codesOf(address)).at(-1)?.code ?? '';
  assert.match(code, /^\d{12}$/);
  for (let attempt = 0; attempt < 4; attempt += 1) assert.equal(await enter(own, address, '111111'), 422);
  assert.equal(await enter(own, address, code), 200);
});

test('right codes, and wrong ones without a code, count towards nothing', async () => {
  const address = newAddress();
  await order(address);
  for (let n = 0; n < 21; n += 1) {
    const own = openBrowser();
    assert.equal(await enter(own, address, '111111'), 422);
    assert.equal(await enter(own, address, await ask(own, address)), 200);
  }
});

test('no code of six digits works after the twentieth wrong one, also of forty at once', async () => {
  const address = newAddress();
  await order(address);
  const early = openBrowser();
  const kept = await ask(early, address);
  const browsers = Array.from({ length: 8 }, () => openBrowser());
  const codes: string[] = [];
  for (const browser of browsers) codes.push(await ask(browser, address));
  await Promise.all(
    browsers.flatMap((browser) => codes.slice(0, 5).map((code) => enter(browser, address, wrongFor(code)))),
  );
  assert.equal(await enter(early, address, kept), 422);
  assert.equal((await ask(openBrowser(), address)).length, 12);
  const [row] = await service.sql<{ most: number }>('select max(failures) as most from portal.finder_failures');
  assert.equal(row?.most, 20);
});

test('a client gets 429 after twenty presses, and a foreign form 403', async () => {
  const other = await service.second();
  const { post } = openBrowser();
  const press = async (headers = {}) => (await post('/find', { address: 'nothing' }, headers, other.url)).status;
  assert.equal(await press({ origin: 'https://evil.example' }), 403);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push(await press());
  assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([422]));
  assert.equal(statuses[20], 429);
});
