import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workOnBatch } from '../../src/capabilities/gift-batches/work-on-batch.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { workUntil } from './mail-server.ts';
import type { PortalAnswer, PortalClient } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

const MOST_ROWS = 200;

export const rowTo = (email: string, more: object = {}) => ({
  amount: 1000,
  category: 'coffee',
  delivery: { method: 'email', email },
  ...more,
});

export const rowsTo = (count: number, name = randomUUID()) =>
  Array.from({ length: count }, (_, n) => rowTo(`${name}-${n + 1}@example.com`));

/** Sends files as the portal does. */
export interface Sender {
  path(more?: string): string;
  /** Returns the id of a stored draft. */
  draft(rows: readonly object[], formId?: string): Promise<string>;
  start(batchId: string, amount: number, acceptsDuplicates?: boolean): Promise<PortalAnswer>;
  /** Stores and starts. */
  send(rows: readonly { amount: number }[]): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  show(batchId: string): Promise<any>;
  /** Advances the clock until no job of the batch is left. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  settle(batchId: string): Promise<any>;
  /** Does the latest job's work here and now. */
  work(batchId: string, deps?: AllDeps): Promise<void>;
}

export function createSender(
  service: TestService,
  client: PortalClient,
  { organizationId, organizationUuid }: TestOrganization,
  environment: Environment = 'sandbox',
): Sender {
  const path = (more = '') => `/organizations/${organizationId}/${environment}/batches${more}`;
  const sender: Sender = {
    path,
    async draft(rows, formId = randomUUID()) {
      const created = await client.call('POST', path(), { form_id: formId, name: 'people.csv', rows: rows.length });
      assert.equal(created.status, 200, JSON.stringify(created.body));
      const { batch_id } = created.body;
      for (let first = 0; first < rows.length; first += MOST_ROWS) {
        const body = { first_row: first + 1, rows: rows.slice(first, first + MOST_ROWS) };
        const stored = await client.call('PUT', path(`/${batch_id}/rows`), body);
        assert.equal(stored.status, 204, JSON.stringify(stored.body));
      }
      return batch_id;
    },
    start: (batchId, amount, acceptsDuplicates = false) =>
      client.call('POST', path(`/${batchId}/start`), { amount, accepts_duplicates: acceptsDuplicates }),
    async send(rows) {
      const batchId = await sender.draft(rows);
      const started = await sender.start(
        batchId,
        rows.reduce((sum, { amount }) => sum + amount, 0),
      );
      assert.equal(started.status, 200, JSON.stringify(started.body));
      return batchId;
    },
    show: async (batchId) => (await client.call('GET', path(`/${batchId}`))).body,
    async settle(batchId) {
      let batch = await sender.show(batchId);
      await workUntil(
        service,
        async () => {
          batch = await sender.show(batchId);
          return batch.state === 'ended' || batch.state === 'stopped';
        },
        `${batchId} is settled`,
      );
      return batch;
    },
    async work(batchId, deps = service.service.deps) {
      const uuid = decodeId('batch', batchId) ?? '';
      const [{ run }] = (await service.sql('select run from batches where batch_id = $1', [uuid])) as [{ run: number }];
      await workOnBatch(deps, { organizationId: organizationUuid, environment, batchId: uuid, run });
    },
  };
  return sender;
}

/** Dependencies with which the process is killed after a query of a transaction, before its answer. */
export function killedAfter(deps: AllDeps, query: number): { deps: AllDeps; isKilled(): boolean } {
  let queries = 0;
  let isKilled = false;
  const open = new Set<{ release(error: Error): void }>();
  const killing = (database: ReturnType<AllDeps['database']['laneOf']>) => ({
    ...database,
    pool: {
      async connect() {
        if (isKilled) throw new Error('The process is dead.');
        const client = await database.pool.connect();
        open.add(client);
        const send = client.query.bind(client) as (...of: unknown[]) => Promise<unknown>;
        const kill = () => {
          isKilled = true;
          // A dead process keeps no lock in another of its transactions.
          for (const each of open) each.release(new Error('killed'));
          throw new Error('The process was killed.');
        };
        return new Proxy(client, {
          get(target, name) {
            if (name === 'release')
              return (error?: Error | boolean) => {
                if (!isKilled && open.delete(client)) target.release(error);
              };
            if (name !== 'query') return Reflect.get(target, name);
            return async (...of: unknown[]) => {
              if (isKilled) throw new Error('The process is dead.');
              queries += 1;
              const result = await send(...of);
              if (queries === query) kill();
              return result;
            };
          },
        });
      },
    },
  });
  const laneOf = (id: string) =>
    killing(deps.database.laneOf(id)) as unknown as ReturnType<AllDeps['database']['laneOf']>;
  return { deps: { ...deps, database: { ...deps.database, laneOf } }, isKilled: () => isKilled };
}
