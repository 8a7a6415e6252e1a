import { readFileSync } from 'node:fs';
import type { Answer } from '../../server/test/harness/api-client.ts';
import { createPortalClient } from '../../server/test/harness/portal-client.ts';
import { assertCommonHeaders, assertRefused } from '../../server/test/harness/raw-http.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import { startTestService, type TestService } from '../../server/test/harness/test-service.ts';
import { sampleOf } from '../faults/random.ts';
import { type Nasty, nastyStrings } from './nasty-strings.ts';
import { findBrokenTables, type Suite, type SuiteRun } from './suite.ts';

interface NastyRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** A place where a value can be put, and the request with it. */
interface InjectionPoint {
  name: string;
  side: 'v1' | 'portal';
  request(value: Nasty, unique: string): NastyRequest;
}

const CONNECTIONS = 4;
/** No control character except a line feed, and no half of a surrogate pair. */
const UNCLEAN = /(?!\n)[\p{Cc}\p{Cs}\u2028\u2029]/u;
const MAX_FINDINGS = 100;
const FUNDS_CENTS = 10_000_000_000;

const gift = (fields: string) => `{"gifts":[{${fields}}]}`;
const AMOUNT = '"amount":1000';
const CATEGORY = '"category":"coffee"';
const WHOLE = `${AMOUNT},${CATEGORY},"delivery":{"method":"link"}`;

/** Bodies of orders with the value in the place of ◊. */
const orderBodies = [
  '◊',
  '{"gifts":◊}',
  `{"gifts":[{${WHOLE}},◊]}`,
  gift(`"amount":◊,${CATEGORY},"delivery":{"method":"link"}`),
  gift(`${AMOUNT},"category":◊,"delivery":{"method":"link"}`),
  gift(`${AMOUNT},${CATEGORY},"delivery":◊`),
  gift(`${AMOUNT},${CATEGORY},"delivery":{"method":◊}`),
  gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"email","email":◊}`),
  gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"phone","phone":◊}`),
  gift(`${WHOLE},"personalization":◊`),
  gift(`${WHOLE},"personalization":{"recipient_name":◊}`),
  gift(`${WHOLE},"personalization":{"sender_name":◊}`),
  gift(`${WHOLE},"personalization":{"message":◊}`),
  `{"gifts":[{${WHOLE}}],◊:0}`,
];

function fill(template: string, json: Buffer): Buffer {
  const [before = '', after = ''] = template.split('◊');
  return Buffer.concat([Buffer.from(before), json, Buffer.from(after)]);
}

const percent = ({ bytes }: Nasty) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

function v1Points(key: string, giftId: string): InjectionPoint[] {
  const headers = { Authorization: `Bearer ${key}` };
  const point = (name: string, request: InjectionPoint['request']): InjectionPoint => ({
    name,
    side: 'v1',
    request: (value, unique) => ({ ...request(value, unique), headers: { ...headers, 'Idempotency-Key': unique } }),
  });
  const inBody = (method: string, path: string, template: string) =>
    point(`${method} ${path} ${template}`, ({ json }) => ({ method, path, body: fill(template, json) }));
  const inPath = (method: string, before: string, after = '') =>
    point(`${method} ${before}…${after}`, (value) => ({ method, path: `${before}${percent(value)}${after}` }));
  return [
    ...orderBodies.map((template) => inBody('POST', '/v1/orders', template)),
    point('order as bytes', ({ bytes }) => ({ method: 'POST', path: '/v1/orders', body: bytes })),
    ...['◊', '{"method":◊}', '{"method":"email","email":◊}', '{"method":"phone","phone":◊}'].map((template) =>
      inBody('PUT', `/v1/gifts/${giftId}/delivery`, template),
    ),
    ...['◊', '{"outcome":◊}'].map((template) => inBody('POST', `/v1/sandbox/gifts/${giftId}/deliver`, template)),
    ...['/v1/orders/', '/v1/gifts/', '/v1/'].map((before) => inPath('GET', before)),
    inPath('PUT', '/v1/gifts/', '/delivery'),
    ...['orders', 'gifts'].flatMap((list) =>
      ['limit', 'starting_after', 'ending_before', 'unknown'].map((name) => inPath('GET', `/v1/${list}?${name}=`)),
    ),
  ];
}

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
}
interface PortalDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string }[];
        requestBody?: { content: { 'application/json': { schema: Schema } } };
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

const portal = JSON.parse(
  readFileSync(new URL('../../portal/openapi.json', import.meta.url), 'utf8'),
) as PortalDocument;

function fieldsOf({ $ref, properties = {}, oneOf = [] }: Schema): string[] {
  const named = $ref === undefined ? undefined : portal.components.schemas[$ref.split('/').at(-1) ?? ''];
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap(fieldsOf), ...(named ? fieldsOf(named) : [])])];
}

/** @param known values of the parameters in paths, for those that the nasty value does not replace */
function portalPoints(headers: Record<string, string>, known: Record<string, string>): InjectionPoint[] {
  const pathOf = (path: string, name?: string, text = '') =>
    path.replace(/\{(\w+)\}/g, (_, each: string) => (each === name ? text : (known[each] ?? 'none')));
  // These delete the orders of `/v1`.
  const paths = Object.entries(portal.paths).filter(([path]) => !/sandbox(?:\/reset)?$/.test(path));
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { parameters = [], requestBody }]): InjectionPoint[] => {
      const method = verb.toUpperCase();
      const point = (name: string, target: (value: Nasty) => string, template = '{}'): InjectionPoint => ({
        name: `${method} ${path}: ${name}`,
        side: 'portal',
        request: (value) => ({
          method,
          path: target(value),
          headers,
          ...(method === 'GET' ? {} : { body: fill(template, value.json) }),
        }),
      });
      const fields = requestBody === undefined ? [] : fieldsOf(requestBody.content['application/json'].schema);
      return [
        ...parameters.map(({ in: position, name }) =>
          point(name, (value) =>
            position === 'path' ? pathOf(path, name, percent(value)) : `${pathOf(path)}?${name}=${percent(value)}`,
          ),
        ),
        ...['◊', ...fields.map((field) => `{"${field}":◊}`)].map((template) =>
          point(template, () => pathOf(path), template),
        ),
      ];
    }),
  );
}

interface SentOrder {
  gifts: {
    delivery: { email?: string; method: string };
    personalization?: { recipient_name?: string; sender_name?: string; message?: string };
  }[];
}

/** Returns the texts of an accepted order that came back altered. */
export function alteredTexts(sent: SentOrder, shown: SentOrder): string[] {
  return sent.gifts.flatMap(({ delivery, personalization = {} }, index) => {
    const { delivery: shownDelivery, personalization: shownNames = {} } = shown.gifts[index] ?? { delivery };
    const pairs: [field: string, sent: unknown, shown: unknown][] = [
      ['email', delivery.email, shownDelivery.email],
      ['recipient_name', personalization.recipient_name, shownNames.recipient_name],
      ['message', personalization.message, shownNames.message],
      ['sender_name', personalization.sender_name ?? shownNames.sender_name, shownNames.sender_name],
    ];
    return pairs.filter(([, one, other]) => one !== other).map(([field]) => `${field} came back altered`);
  });
}

/** @throws AssertionError if the answer has not the form that `/v1` promises */
function assertForm({ status, headers, body }: Answer): void {
  const answer = { status, headers, body };
  if (status < 400) assertCommonHeaders(answer);
  else assertRefused(answer, body?.error?.code, body?.error?.param);
}

function judge(side: InjectionPoint['side'], { body }: NastyRequest, answer: Answer): string[] {
  const { status } = answer;
  if (status >= 500) return [`status ${status}`];
  if (side === 'portal') return status === 401 || status === 403 ? [`status ${status}`] : [];
  const text = JSON.stringify(answer.body);
  if (/root:x:0|"bestow-workspace"/.test(text)) return ['the answer holds a file of the machine'];
  const faults = UNCLEAN.test(text) ? ['a control character or half a surrogate pair'] : [];
  try {
    assertForm(answer);
  } catch (error) {
    faults.push((error as Error).message);
  }
  return status === 201 ? [...faults, ...alteredTexts(JSON.parse(String(body)), answer.body)] : faults;
}

async function send(url: string, { method, path, headers = {}, body }: NastyRequest): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(HUNG_AFTER_MS),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** @param more headers in place of those of an admin's browser, for positive controls */
export async function tryStrings(
  service: TestService,
  run: SuiteRun,
  more?: Record<string, string>,
): Promise<string[]> {
  const { seed, count, say } = run;
  const organization = await service.organization({ sandbox: FUNDS_CENTS, live: 0 });
  const { body: order } = await organization.sandbox.order([
    { amount: 1000, category: 'coffee', delivery: { method: 'link' } },
  ]);
  const giftId = order.gifts[0].gift_id;
  const client = await createPortalClient(service, 'admin@example.com');
  const headers = more ?? { Origin: service.service.deps.publicUrl(), Cookie: client.cookie() };
  const points = [
    ...v1Points(organization.keys.sandbox, giftId),
    ...portalPoints(headers, {
      organization_id: organization.organizationId,
      environment: 'sandbox',
      order_id: order.order_id,
      gift_id: giftId,
      member_id: organization.memberId,
      month: '2026-11',
      number: '1',
    }),
  ];
  const findings: string[] = [];
  // Bad input must not fill the log.
  const note = (details: { err?: Error }, message: string) => findings.push(`logged: ${message} ${details.err?.stack}`);
  Object.assign(service.service.deps.log, { warn: note, error: note, fatal: note });
  const pairs = points.flatMap((point) => nastyStrings.map((value) => ({ point, value })));
  const trials = sampleOf(pairs, count, seed).entries();
  const answers: Record<number, number> = {};
  const work = async () => {
    for (const [index, { point, value }] of trials) {
      if (findings.length >= MAX_FINDINGS) return;
      const request = point.request(value, `unique ${index}`);
      const find = (fault: string) =>
        findings.push(`${point.name} ← ${JSON.stringify(value.json.toString('latin1').slice(0, 60))}: ${fault}`);
      try {
        const answer = await send(service.url, request);
        answers[answer.status] = (answers[answer.status] ?? 0) + 1;
        for (const fault of judge(point.side, request, answer)) find(fault);
      } catch (error) {
        find(String((error as Error).cause ?? error));
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  say(`${nastyStrings.length} strings, ${points.length} injection points; answers: ${JSON.stringify(answers)}`);
  const [stored] = await service.sql<{ count: number }>('select count(*)::integer as count from orders');
  if (stored?.count !== (answers[201] ?? 0) + 1)
    findings.push(`${stored?.count} orders exist, and ${answers[201]} were acknowledged`);
  return [...findings, ...(await findBrokenTables(service))];
}

/** Each nasty string in each field and parameter of `/v1` and of the portal's interface, or a sample. */
export const hostileStrings: Suite = {
  name: 'strings',
  counts: { whole: 60_000, short: 2_000 },
  async run(options) {
    const service = await startTestService({ RATE_LIMIT_BURST: '10000000', RATE_LIMIT_ADDRESS_BURST: '10000000' });
    try {
      return await tryStrings(service, options);
    } finally {
      await service.close();
    }
  },
};
