import { readFileSync } from 'node:fs';
import { createPortalClient } from '../../../server/test/harness/portal-client.ts';
import { startTestService, type TestService } from '../../../server/test/harness/test-service.ts';
import { sampleOf } from '../../faults/random.ts';
import { findBrokenTables, type Suite, type SuiteRun } from '../suite.ts';
import { faultsOf, watchLog } from './check-reply.ts';
import { type Nasty, nastyStrings } from './nasty-strings.ts';
import { createKeptConnection, type Reply, requestOf } from './wire.ts';

/** A place where a value can be put, and the request with it. */
interface InjectionPoint {
  name: string;
  side: 'v1' | 'portal';
  request(value: Nasty, unique: string): Buffer;
}

const CONNECTIONS = 4;
const MAX_FINDINGS = 100;
const FUNDS_CENTS = 10_000_000_000;

const gift = (fields: string) => `{"gifts":[{${fields}}]}`;
const AMOUNT = '"amount":1000';
const CATEGORY = '"category":"coffee"';
const WHOLE = `${AMOUNT},${CATEGORY},"delivery":{"method":"link"}`;

/** Bodies of orders with the value in the place of ◊. */
const orderBodies: Record<string, string> = {
  'whole body': '◊',
  gifts: '{"gifts":◊}',
  'gifts[1]': `{"gifts":[{${WHOLE}},◊]}`,
  amount: gift(`"amount":◊,${CATEGORY},"delivery":{"method":"link"}`),
  category: gift(`${AMOUNT},"category":◊,"delivery":{"method":"link"}`),
  delivery: gift(`${AMOUNT},${CATEGORY},"delivery":◊`),
  method: gift(`${AMOUNT},${CATEGORY},"delivery":{"method":◊}`),
  email: gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"email","email":◊}`),
  phone: gift(`${AMOUNT},${CATEGORY},"delivery":{"method":"phone","phone":◊}`),
  personalization: gift(`${WHOLE},"personalization":◊`),
  recipient_name: gift(`${WHOLE},"personalization":{"recipient_name":◊}`),
  sender_name: gift(`${WHOLE},"personalization":{"sender_name":◊}`),
  'the name of a field': `{"gifts":[{${WHOLE}}],◊:0}`,
  'the name of a field in a gift': gift(`${WHOLE},◊:0`),
};

function fill(template: string, json: Buffer): Buffer {
  const [before = '', after = ''] = template.split('◊');
  return Buffer.concat([Buffer.from(before), json, Buffer.from(after)]);
}

const percent = ({ bytes }: Nasty) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

function v1Points(key: string, giftId: string): InjectionPoint[] {
  const authorization = `Authorization: Bearer ${key}`;
  const order = (name: string, bodyOf: (value: Nasty) => Buffer): InjectionPoint => ({
    name: `order: ${name}`,
    side: 'v1',
    request: (value, unique) =>
      requestOf('POST /v1/orders', [authorization, `Idempotency-Key: ${unique}`], bodyOf(value)),
  });
  const body = (firstLine: string, template: string): InjectionPoint => ({
    name: `${firstLine} ${template}`,
    side: 'v1',
    request: ({ json }) => requestOf(firstLine, [authorization], fill(template, json)),
  });
  const target = (before: string, after = ''): InjectionPoint => ({
    name: `${before}…${after}`,
    side: 'v1',
    request: (value) => requestOf(`${before}${percent(value)}${after}`, [authorization]),
  });
  return [
    ...Object.entries(orderBodies).map(([name, template]) => order(name, ({ json }) => fill(template, json))),
    order('whole body as bytes', ({ bytes }) => bytes),
    ...['◊', '{"method":◊}', '{"method":"email","email":◊}', '{"method":"phone","phone":◊}'].map((template) =>
      body(`PUT /v1/gifts/${giftId}/delivery`, template),
    ),
    ...['◊', '{"outcome":◊}'].map((template) => body(`POST /v1/sandbox/gifts/${giftId}/deliver`, template)),
    ...['GET /v1/orders/', 'GET /v1/gifts/', 'POST /v1/sandbox/gifts/', 'GET /v1/'].map((before) => target(before)),
    target('PUT /v1/gifts/', '/delivery'),
    ...['orders', 'gifts'].flatMap((list) =>
      ['limit', 'starting_after', 'ending_before', 'unknown'].map((name) => target(`GET /v1/${list}?${name}=`)),
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
  readFileSync(new URL('../../../portal/openapi.json', import.meta.url), 'utf8'),
) as PortalDocument;

function fieldsOf({ $ref, properties = {}, oneOf = [] }: Schema): string[] {
  const named = $ref === undefined ? undefined : portal.components.schemas[$ref.split('/').at(-1) ?? ''];
  return [...new Set([...Object.keys(properties), ...oneOf.flatMap(fieldsOf), ...(named ? fieldsOf(named) : [])])];
}

/** @param known values of the parameters in paths, for those that the nasty value does not replace */
function portalPoints(headers: readonly string[], known: Record<string, string>): InjectionPoint[] {
  const pathOf = (path: string, name?: string, text = '') =>
    path.replace(/\{(\w+)\}/g, (_, each: string) => (each === name ? text : (known[each] ?? 'none')));
  return Object.entries(portal.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]): InjectionPoint[] => {
      const verb = method.toUpperCase();
      const point = (name: string, target: (value: Nasty) => string, bodyOf: (value: Nasty) => Buffer) => ({
        name: `${verb} ${path}: ${name}`,
        side: 'portal' as const,
        request: (value: Nasty) =>
          requestOf(`${verb} ${target(value)}`, headers, verb === 'GET' ? undefined : bodyOf(value)),
      });
      const inBody = (name: string, template: string) =>
        point(
          name,
          () => pathOf(path),
          ({ json }) => fill(template, json),
        );
      return [
        ...parameters
          .filter((parameter) => parameter.in === 'path' || parameter.in === 'query')
          .map((parameter) =>
            point(
              parameter.name,
              (value) =>
                parameter.in === 'path'
                  ? pathOf(path, parameter.name, percent(value))
                  : `${pathOf(path)}?${parameter.name}=${percent(value)}`,
              () => Buffer.from('{}'),
            ),
          ),
        ...(requestBody === undefined
          ? []
          : [
              inBody('whole body', '◊'),
              ...fieldsOf(requestBody.content['application/json'].schema).map((field) =>
                inBody(field, `{"${field}":◊}`),
              ),
            ]),
      ];
    }),
  );
}

interface SentOrder {
  gifts: {
    delivery: { email?: string; method: string };
    personalization?: { recipient_name?: string; sender_name?: string };
  }[];
}

/** Returns the texts of an accepted order that came back altered. */
export function alteredTexts(sent: SentOrder, shown: SentOrder): string[] {
  return sent.gifts.flatMap(({ delivery, personalization = {} }, index) => {
    const { delivery: shownDelivery, personalization: shownNames = {} } = shown.gifts[index] ?? { delivery };
    const pairs: [field: string, sent: unknown, shown: unknown][] = [
      ['email', delivery.email, shownDelivery.email],
      ['recipient_name', personalization.recipient_name, shownNames.recipient_name],
      ['sender_name', personalization.sender_name ?? shownNames.sender_name, shownNames.sender_name],
    ];
    return pairs.filter(([, one, other]) => one !== other).map(([field]) => `${field} came back altered`);
  });
}

function judge({ side }: InjectionPoint, request: Buffer, reply: Reply): string[] {
  const text = reply.body.toString();
  if (/root:x:0|"bestow-workspace"/.test(text)) return ['the answer holds a file of the machine'];
  const faults = faultsOf(reply, side);
  if (side === 'portal' && (reply.status === 401 || reply.status === 403)) faults.push(`status ${reply.status}`);
  if (side === 'v1' && reply.status === 201) {
    const sent = request.subarray(request.indexOf('\r\n\r\n') + 4).toString();
    faults.push(...alteredTexts(JSON.parse(sent), JSON.parse(text)));
  }
  return faults;
}

/** @param more headers that an admin's browser does not send, for positive controls */
export async function tryStrings(service: TestService, run: SuiteRun, more: readonly string[] = []): Promise<string[]> {
  const { seed, count, say } = run;
  const organization = await service.organization({ sandbox: FUNDS_CENTS, live: 0 });
  const { body: order } = await organization.sandbox.order([
    { amount: 1000, category: 'coffee', delivery: { method: 'link' } },
  ]);
  const giftId = order.gifts[0].gift_id;
  const client = await createPortalClient(service, 'admin@example.com');
  const headers = [`Origin: ${service.service.deps.publicUrl()}`, `Cookie: ${client.cookie()}`];
  const known = {
    organization_id: organization.organizationId,
    environment: 'sandbox',
    order_id: order.order_id,
    gift_id: giftId,
    member_id: organization.memberId,
    month: '2026-11',
    number: '1',
  };
  const points = [
    ...v1Points(organization.keys.sandbox, giftId),
    ...portalPoints([...(more.length > 0 ? more : headers), 'Content-Type: application/json'], known),
  ];
  const lines = watchLog(service);
  const trials = sampleOf(
    points.flatMap((point) => nastyStrings.map((value) => ({ point, value }))),
    count,
    seed,
  );
  const findings: string[] = [];
  const answers: Record<number, number> = {};
  const work = async (first: number) => {
    const connection = createKeptConnection(service.url);
    for (let index = first; index < trials.length && findings.length < MAX_FINDINGS; index += CONNECTIONS) {
      const { point, value } = trials[index] as (typeof trials)[number];
      const request = point.request(value, `unique ${index}`);
      const find = (fault: string) =>
        findings.push(`${point.name} ← ${JSON.stringify(value.json.toString('latin1').slice(0, 60))}: ${fault}`);
      try {
        const reply = await connection.ask(request);
        answers[reply.status] = (answers[reply.status] ?? 0) + 1;
        for (const fault of judge(point, request, reply)) find(fault);
      } catch (error) {
        find((error as Error).message);
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, first) => work(first)));
  say(`${nastyStrings.length} strings, ${points.length} injection points, ${trials.length} requests`);
  say(`answers by status: ${JSON.stringify(answers)}`);
  if (answers[429] !== undefined) findings.push(`${answers[429]} answers of 429`);
  const { rows } = { rows: await service.sql<{ count: string }>('select count(*) from orders') };
  if (Number(rows[0]?.count) !== (answers[201] ?? 0) + 1)
    findings.push(`${rows[0]?.count} orders exist, and ${answers[201]} of them were acknowledged here`);
  if ((await client.call('GET', '/me')).status !== 200) findings.push('the admin is not signed in any more');
  return [...findings, ...(await findBrokenTables(service)), ...lines.slice(0, 10)];
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
