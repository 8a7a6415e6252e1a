import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { prepareBinaries } from '../../src/platform/embedded-postgres/binaries.ts';
import { createPostgresServer } from './postgres-server.ts';
import { freePort, until } from './server-process.ts';
import { createTemplate } from './template-database.ts';

/** Two PostgreSQL servers that hold the organizations between them. */
export interface RunningShards {
  /** Each server's `postgres` database. */
  shards: ConnectionTarget[];
  /** SIGQUIT, the default, is a crash. */
  stopShard(index: number, signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  startShard(index: number): Promise<void>;
  close(): Promise<void>;
}

/** For the steps of docs/scale.md. */
const LOGICAL = ['wal_level=logical', 'max_logical_replication_workers=16', 'max_worker_processes=24'];

const answers = async (target: ConnectionTarget) => {
  const client = new Client(target);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
};

/** Starts two PostgreSQL servers, each with a migrated template. */
export async function startShards(): Promise<RunningShards> {
  const { directory: native } = await prepareBinaries(process.getuid?.() === 0);
  const servers = await Promise.all(
    [0, 1].map(async (shard) => {
      const port = await freePort();
      const place = await mkdtemp(join(tmpdir(), `bestow-shard-${shard}-`));
      const settings = [
        'listen_addresses=127.0.0.1',
        `port=${port}`,
        'max_connections=300',
        'max_prepared_transactions=20',
        'jit=off',
        ...LOGICAL,
      ];
      const target = { host: '127.0.0.1', port, user: 'bestow', database: 'postgres' };
      return { place, target, server: await createPostgresServer(join(native, 'bin'), place, settings) };
    }),
  );
  const startShard = async (index: number) => {
    const { server, target } = servers[index] as (typeof servers)[number];
    server.start();
    await until(() => answers(target), `shard ${index} answers`);
  };
  const shards = servers.map(({ target }) => target);
  await Promise.all(servers.map((_, index) => startShard(index)));
  await Promise.all(shards.map(createTemplate));
  return {
    shards,
    startShard,
    stopShard: async (index, signal = 'SIGQUIT') => await servers[index]?.server.stop(signal),
    async close() {
      for (const { server, place } of servers) {
        await server.stop();
        await rm(place, { recursive: true, force: true });
      }
    },
  };
}
