import assert from 'node:assert/strict';
import { sendYearlyGifts } from '../../src/capabilities/yearly-gifts/send-yearly-gifts.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { createPortalClient, type PortalClient } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export const DAY_MS = 86_400_000;
/** A sign-in may change everything for a while. */
const FRESH_MS = 300_000;
const ROWS_PER_IMPORT = 200;

export interface GiftState {
  address: string;
  year: number;
  date: string;
  state: string;
  reason: string | null;
}

/** Rules, contacts and their gifts in one environment, as the portal changes them and each minute sends them. */
export interface Yearly {
  /** The portal’s path in the environment. */
  at(rest?: string): string;
  /** Signs in again, because sessions end while the clock is moved. */
  admin(): Promise<PortalClient>;
  addTemplate(amount?: number, changes?: object): Promise<string>;
  /** Adds a rule that sends, with these changes; returns its id. */
  addRule(changes?: object): Promise<string>;
  /** Changes fields of a rule. */
  changeRule(ruleId: string, changes: object): Promise<void>;
  /** `name` → day; the address is `name@example.com`. */
  addContacts(birthdays: Record<string, string>, more?: object): Promise<void>;
  /** The work of each minute. */
  run(deps?: AllDeps): Promise<void>;
  /** Moves the clock to a time, and runs. */
  runAt(iso: string): Promise<void>;
  gifts(): Promise<GiftState[]>;
  /** The addresses of all gifts that were bought, sorted. */
  bought(): Promise<string[]>;
  mails(kind: string): Promise<{ recipient: string; details: Record<string, unknown> }[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a route
  calendar(month: string): Promise<any>;
}

/** Creates an organization whose admin is the only `admin@example.com`; rules of earlier ones are deleted. */
export async function newOrganization(service: TestService, cents?: number): Promise<TestOrganization> {
  await service.sql('delete from yearly_rules');
  await service.sql(
    `update members set email = 'of-' || organization_id || '@example.com' where email = 'admin@example.com'`,
  );
  return await service.organization(cents === undefined ? {} : { live: cents });
}

const RULE = {
  tag: null,
  occasion: 'birthday',
  time_zone: 'UTC',
  hour: 9,
  mode: 'sends',
  yearly_limit: 10_000_000,
  is_paused: false,
};

export function createYearly(
  service: TestService,
  organization: TestOrganization,
  environment: Environment = 'live',
): Yearly {
  const at = (rest = '') => `/organizations/${organization.organizationId}/${environment}${rest}`;
  let session: { client: PortalClient; endsAtMs: number } | undefined;
  const admin = async () => {
    if (session === undefined || service.clock.now() > session.endsAtMs) {
      const client = await createPortalClient(service, 'admin@example.com');
      session = { client, endsAtMs: service.clock.now() + FRESH_MS };
    }
    return session.client;
  };
  const call = async (method: string, path: string, body?: object) => {
    const answer = await (await admin()).call(method, at(path), body);
    assert.ok(answer.status === 200 || answer.status === 204, JSON.stringify(answer.body));
    return answer.body;
  };
  const run = (deps = service.service.deps) => sendYearlyGifts(deps);
  return {
    at,
    admin,
    run,
    async runAt(iso) {
      await service.clock.setTime(Date.parse(iso));
      await run();
    },
    ...changesOf(call),
    ...readsOf(service, [organization.organizationUuid, environment]),
    calendar: (month) => call('GET', `/yearly-gifts?month=${month}`),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the answer of any route
type Call = (method: string, path: string, body?: object) => Promise<any>;

function changesOf(call: Call): Pick<Yearly, 'addTemplate' | 'addRule' | 'changeRule' | 'addContacts'> {
  let made = 0;
  const addTemplate = async (amount = 2500, changes: object = {}) => {
    made += 1;
    const texts = { sender_name: null, message: 'All the best', language: null };
    const template = { name: `Template ${made}`, amount, category: 'coffee', ...texts, ...changes };
    return (await call('POST', '/gift-templates', template)).template_id as string;
  };
  return {
    addTemplate,
    async addRule(changes = {}) {
      const template_id = 'template_id' in changes ? changes.template_id : await addTemplate();
      return (await call('POST', '/yearly-rules', { ...RULE, name: `Rule ${made}`, ...changes, template_id })).rule_id;
    },
    async changeRule(ruleId, changes) {
      const { data } = await call('GET', '/yearly-rules');
      const before = data.find(({ rule_id }: { rule_id: string }) => rule_id === ruleId) ?? assert.fail();
      const fields = [...Object.keys(RULE), 'name', 'template_id'].map((name) => [name, before[name]]);
      await call('PUT', `/yearly-rules/${ruleId}`, { ...Object.fromEntries(fields), ...changes });
    },
    async addContacts(birthdays, more = {}) {
      const rows = Object.entries(birthdays).map(([name, birthday]) => ({
        delivery: { method: 'email', email: `${name}@example.com` },
        name,
        birthday,
        ...more,
      }));
      for (let first = 0; first < rows.length; first += ROWS_PER_IMPORT) {
        const some = { rows: rows.slice(first, first + ROWS_PER_IMPORT) };
        assert.deepEqual((await call('POST', '/contacts/import', some)).refused, []);
      }
    },
  };
}

const readsOf = (
  { sql }: TestService,
  of: [organizationUuid: string, environment: Environment],
): Pick<Yearly, 'gifts' | 'bought' | 'mails'> => ({
  gifts: () =>
    sql<GiftState>(
      `select c.address, g.year::integer, g.date::text, g.state, g.reason from yearly_gifts g
       join contacts c using (organization_id, environment, contact_id)
       where g.organization_id = $1 and g.environment = $2 order by g.date, c.address`,
      of,
    ),
  async bought() {
    const rows = await sql<{ address: string }>(
      'select address from gifts where organization_id = $1 and environment = $2 order by address',
      of,
    );
    return rows.map(({ address }) => address);
  },
  mails: (kind) =>
    sql('select recipient, details from notices where organization_id = $1 and kind = $2 order by notice_id', [
      of[0],
      kind,
    ]),
});
