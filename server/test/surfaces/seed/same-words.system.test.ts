import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { GiftHistoryBody, GiftMessageBody } from '../../../src/core/gifts/gift/expansion-schema.ts';
import { type GiftHistoryState, giftStates } from '../../../src/core/gifts/gift/state.ts';
import { environments } from '../../../src/surfaces/seed/month.ts';
import { ADMIN_EMAIL } from '../../../src/surfaces/seed/seed-demo.ts';
import { gift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { blocksOf, runProgram } from '../../harness/document-samples.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { TestClock } from '../../harness/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/test-database.ts';
import { startTestServiceOn, type TestService } from '../../harness/test-service.ts';

// The portal, its file, /v1, its file, the events and the programs of docs/history.md say the same of each gift of a month.

let database: TestDatabase;
let service: TestService;
let person: PortalClient;
let month: { organization_id: string; keys: Record<'live' | 'sandbox', string> };

before(async () => {
  database = await createTestDatabase();
  const { code, stdout, stderr } = await runBestow(database.target, ['seed', '--demo', '--json']);
  assert.equal(code, 0, stderr);
  month = JSON.parse(stdout);
  service = await startTestServiceOn(database, { RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }, new TestClock(Date.now()));
  person = await createPortalClient(service, ADMIN_EMAIL);
  // A month leaves nothing to send.
  await service.api(month.keys.live).order([gift()]);
});
after(async () => {
  await service.close();
  await database.drop();
});

type Environment = (typeof environments)[number];

interface Shown {
  gift_id: string;
  history: GiftHistoryBody;
  deliveries: GiftMessageBody[];
}

async function portal(environment: Environment, path: string) {
  const { status, body } = await person.call('GET', `/organizations/${month.organization_id}/${environment}${path}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** All items of a list of `/v1`. */
async function all<Item>(environment: Environment, path: string, nextOf: (page: Page<Item>) => string | null) {
  const items: Item[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const { body } = await service.api(month.keys[environment]).get(`${path}${next}`);
    items.push(...body.data);
    next = nextOf(body);
  }
  return items;
}

interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_after: number;
}

const giftsOf = (environment: Environment) =>
  all<Shown>(environment, '/v1/gifts?limit=100&expand=history,deliveries', ({ data, has_more }) =>
    has_more ? `&starting_after=${data.at(-1)?.gift_id}` : null,
  );

type Step =
  | { kind: 'ordered' | 'spent' | 'canceled' | 'thanked' | 'opened' | 'claimed' | 'declined'; at: string }
  | ({ kind: 'delivery'; at: string; number: number } & GiftMessageBody);

/** The lines of the programs, as the timeline of the portal's page has them. */
function linesOf({ gift_id: giftId, history, deliveries }: Shown, timeline: Step[]): string[] {
  const messages = timeline.filter((event) => event.kind === 'delivery');
  assert.deepEqual(
    messages.map(({ kind, at, number, ...message }) => message),
    deliveries,
  );
  const steps = timeline
    .filter(({ kind }) => kind !== 'thanked' && kind !== 'spent')
    .flatMap((event): [string, string][] => {
      if (event.kind !== 'delivery') return [[event.at, event.kind === 'canceled' ? history.state : event.kind]];
      const { channel, state, created_at, sent_at, delivered_at, failed_at } = event;
      const settledAt = delivered_at ?? failed_at;
      return [
        [sent_at ?? created_at, channel],
        ...(settledAt === null ? [] : [[settledAt, state] as [string, string]]),
      ];
    });
  const spent = timeline.filter(({ kind }) => kind === 'spent').at(-1);
  if (spent !== undefined) steps.push([spent.at, `spent ${history.spent.amount}`]);
  const sorted = steps.map(([at, what]) => `${at} ${what}`);
  return [`${giftId} ${history.state}`, ...sorted.sort()];
}

/** What programs print, with the steps of the same time in one order. */
const linesOfProgram = (printed: string) =>
  printed
    .trim()
    .split(/\n(?=gift_)/)
    .map((text) => {
      const [first = '', ...steps] = text.split('\n').map((line) => line.trim());
      return [first, ...steps.sort()];
    });

test('each gift has the same state and times in the portal, in /v1, in both files and for programs', async () => {
  const found = new Set<GiftHistoryState>();
  const markdown = readFileSync(new URL('../../../../docs/history.md', import.meta.url), 'utf8');
  const programs = blocksOf(markdown.split('## A list and a timeline')[1] ?? '');
  assert.deepEqual(
    programs.map(({ language }) => language),
    ['ts', 'py', 'go'],
  );
  for (const environment of environments) {
    const gifts = await giftsOf(environment);
    const expected: string[][] = [];
    for (const shown of gifts) {
      const { gift_id, history } = shown;
      const page = await portal(environment, `/gifts/${gift_id}`);
      assert.deepEqual(page.history, history);
      assert.equal(page.gift.state, history.state);
      expected.push(linesOf(shown, page.timeline));
      found.add(history.state);
    }
    for (const program of programs) {
      const variables = { KEY: month.keys[environment] };
      const printed = await runProgram(program, { url: service.url, variables });
      if (printed !== undefined) assert.deepEqual(linesOfProgram(printed), expected, program.language);
    }
    const inPortal = await portal(environment, '/gifts.csv');
    const headers = { Authorization: `Bearer ${month.keys[environment]}`, Accept: 'text/csv' };
    const inList = await (await fetch(`${service.url}/v1/gifts?expand=history`, { headers })).text();
    for (const { gift_id, history } of gifts)
      for (const file of [inPortal, inList]) {
        const line = file.split('\r\n').find((one: string) => one.includes(gift_id)) ?? assert.fail(gift_id);
        const { state, sent_at, delivered_at, failed_at, expires_at } = history;
        for (const text of [state, sent_at, delivered_at, failed_at, expires_at].filter((one) => one !== null))
          assert.ok(line.includes(`,${text}`), `${text}: ${line}`);
      }
  }
  assert.deepEqual([...found].sort(), Object.keys(giftStates).sort());
});

/** The time of each event in the history of its gift, if it is the latest of its type; of messages, if it is the latest. */
const ofMessages = ['gift.sent', 'gift.delivered', 'gift.delivery_failed'];
const timesOfEvents: Record<string, (history: GiftHistoryBody) => string | null> = {
  'gift.sent': (history) => history.sent_at,
  'gift.delivered': (history) => history.delivered_at,
  'gift.delivery_failed': (history) => history.failed_at,
  'gift.opened': (history) => history.opened_at,
  'gift.declined': (history) => history.declined_at,
  'gift.claimed': (history) => history.claimed_at,
  'gift.spent': (history) => history.spent.last_at,
  'gift.canceled': (history) => history.canceled_at,
  'gift.expired': (history) => history.canceled_at,
};

test('each time of a gift’s history is that of its event', async () => {
  interface Event {
    type: string;
    created_at: string;
    sequence: number;
    data: { gift_id?: string };
  }
  for (const environment of environments) {
    const events = await all<Event>(environment, '/v1/events?limit=1000', ({ data, next_after }) =>
      data.length === 0 ? null : `&after=${next_after}`,
    );
    let compared = 0;
    for (const { gift_id, history } of await giftsOf(environment))
      for (const [type, timeOf] of Object.entries(timesOfEvents)) {
        const types = ofMessages.includes(type) ? ofMessages : [type];
        const last = events.findLast((event) => types.includes(event.type) && event.data.gift_id === gift_id);
        if (last?.type !== type) continue;
        compared += 1;
        assert.equal(last.created_at, timeOf(history), `${type} of ${JSON.stringify({ gift_id, history })}`);
      }
    assert.ok(compared > 0);
  }
});
