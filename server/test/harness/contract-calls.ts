import { emailGift, gift, linkGift } from './api-client.ts';
import type { TestService } from './test-service.ts';

/** One call of the recorded contract, with ids and secrets replaced. */
interface RecordedCall {
  call: string;
  status: number;
  headers: Record<string, string>;
  /** The exact text. */
  body: string;
}

/** A body, a steering address and each operation's errors: nothing that came after the first release. */
const orders: [key: string, gifts: unknown[]][] = [
  ['two', [gift({ personalization: { recipient_name: 'Ada', sender_name: 'Babbage' } }), linkGift(5000)]],
  ['failed', [emailGift('delivery-failed')]],
  ['steered', ['delivered', 'opened', 'claimed', 'spent'].map((to) => emailGift(to))],
  ['phone', [gift({ delivery: { method: 'phone', phone: '+1 (202) 555-0100' } })]],
  ['processing', [emailGift('delivered'), emailGift('processing'), linkGift()]],
  ['poor', [emailGift('insufficient-balance')]],
  ['broken', [emailGift('internal-error')]],
  ['limited', [emailGift('rate-limited')]],
  ['two', [gift({ personalization: { recipient_name: 'Ada', sender_name: 'Babbage' } }), linkGift(5000)]],
  ['two', [linkGift()]],
  ['category', [gift({ category: 'unknown' })]],
  ['amount', [gift({ amount: 999 })]],
  ['none', []],
  ['more', [{ ...gift(), note: 'unknown' }]],
];

const NAMED = /\b(org|mem|key|ord|gift|led|card|req)_[0-9a-z]{26}\b|(?<=\/g\/)[\w.-]+/g;
/** Other processes and the time of day decide these. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive']);
/** Of the document, which grows: how long it is, and how it may be kept. */
const DESCRIBES_THE_DOCUMENT = new Set(['content-length', 'cache-control', 'etag', 'vary']);

/** Makes the calls of a client that uses nothing but the first release, and returns the answers for a comparison. */
export async function recordCalls(service: TestService): Promise<RecordedCall[]> {
  const organization = await service.organization({ sandbox: 100_000 });
  const seen = new Map<string, string>();
  const numbered = (id: string, kind = 'link') => {
    seen.set(id, seen.get(id) ?? `${kind}_${seen.size}`);
    return seen.get(id) ?? '';
  };
  const replaced = (text: string) => text.replaceAll(service.url, '{url}').replace(NAMED, numbered);
  const calls: RecordedCall[] = [];
  let latest: { gifts: { gift_id: string }[]; order_id: string } = { gifts: [], order_id: '' };

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    key = organization.keys.sandbox,
  ) {
    const response = await fetch(service.url + path, {
      method,
      // `fetch` asks for compression, which came later.
      headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isDocument = path === '/v1/openapi.json';
    const kept = [...response.headers].filter(
      ([name]) => !LEFT_OUT.has(name) && !(isDocument && DESCRIBES_THE_DOCUMENT.has(name)),
    );
    calls.push({
      call: `${method} ${replaced(path)}`,
      status: response.status,
      headers: Object.fromEntries(
        kept.map(([name, value]) => [name, name === 'ratelimit' ? value.replace(/\br=\d+/, 'r=') : replaced(value)]),
      ),
      body: isDocument ? '' : replaced(text),
    });
    if (text.startsWith('{"order_id"')) latest = JSON.parse(text);
  }

  const byKey: Record<string, typeof latest> = {};
  for (const [key, gifts] of orders) {
    await call('POST', '/v1/orders', { gifts }, { 'Idempotency-Key': key });
    byKey[key] ??= latest;
  }
  await callRest(call, byKey, organization.keys.live);
  return calls;
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  key?: string,
) => Promise<void>;

async function callRest(
  call: Call,
  byKey: Record<string, { gifts: { gift_id: string }[]; order_id: string }>,
  live: string,
) {
  const giftOf = (key: string, position = 0) => `/v1/gifts/${byKey[key]?.gifts[position]?.gift_id}`;
  const orderOf = (key: string) => `/v1/orders/${byKey[key]?.order_id}`;
  const key = { 'Idempotency-Key': 'more' };
  await call('POST', '/v1/orders', { gifts: [gift()] });
  await call('POST', '/v1/orders', '{', key);
  await call('POST', '/v1/orders', { gifts: [gift()], note: 'x' }, key);
  await call('POST', '/v1/orders', { gifts: [gift()] }, key, 'bestow-unknown');
  await call('POST', '/v1/orders', { gifts: [emailGift('delivered')] }, key, live);
  await call('POST', '/v1/orders', { gifts: [gift()] }, { 'Idempotency-Key': 'live' }, live);
  for (const path of [orderOf('two'), orderOf('processing'), '/v1/orders/ord_unknown', giftOf('two', 1), '/v1/gifts/x'])
    await call('GET', path);
  for (const list of ['/v1/orders', '/v1/gifts'])
    for (const query of [
      '',
      '?limit=2',
      '?limit=100',
      '?limit=0',
      '?starting_after=gift_x',
      '?status_of=sent',
      '?ending_before=',
    ])
      await call('GET', list + query);
  await call('GET', `/v1/orders?limit=2&starting_after=${byKey['phone']?.order_id}`);
  await call('GET', `/v1/gifts?limit=2&ending_before=${byKey['two']?.gifts[0]?.gift_id}`);
  const email = (to: string) => ({ method: 'email', email: `${to}@sandbox.gift.test` });
  await call('PUT', `${giftOf('failed')}/delivery`, { method: 'link' });
  await call('PUT', `${giftOf('failed')}/delivery`, email('delivery-failed'));
  await call('PUT', `${giftOf('failed')}/delivery`, email('delivered'));
  await call('PUT', `${giftOf('failed')}/delivery`, email('opened'));
  await call('PUT', `${giftOf('two', 1)}/delivery`, email('opened'));
  const simulated = '/v1/sandbox/gifts/';
  const idOf = (path: string) => path.slice('/v1/gifts/'.length);
  for (const [position, act] of [
    [1, 'deliver'],
    [0, 'deliver'],
    [0, 'deliver'],
    [0, 'spend'],
    [0, 'open'],
    [1, 'claim'],
    [1, 'claim'],
    [1, 'spend'],
  ] as const)
    await call('POST', `${simulated}${idOf(giftOf('two', position))}/${act}`);
  await call('POST', `${simulated}${idOf(giftOf('phone'))}/deliver`, { outcome: 'lost' });
  await call('POST', `${simulated}gift_x/open`);
  await call('GET', orderOf('two'));
  await call('GET', '/v1/categories');
  await call('GET', '/v1/categories?limit=1');
  await call('GET', '/v1/health');
  await call('GET', '/v1/openapi.json');
  await call('POST', '/v1/sandbox/reset', undefined, {}, live);
  await call('POST', '/v1/sandbox/reset');
  await call('GET', orderOf('two'));
  await call('POST', '/v1/orders', { gifts: [gift()] }, key);
}
