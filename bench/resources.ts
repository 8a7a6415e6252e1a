import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, Server } from './installation.ts';
import { processorSeconds, residentMb, treeMb, treeProcessorSeconds } from './processor.ts';

export interface Memory {
  nodeMb: number;
  postgresMb: number;
}

/** Cost of an order, over all runs of the orders row. */
export interface Resources {
  nodeMicroseconds: number;
  postgresMicroseconds: number;
  /** All transactions, read-only ones too: each key look-up is one. */
  commits: number;
  /** Transactions that wrote. */
  writingCommits: number;
  walBytes: number;
  atRest: Memory;
  underLoad: Memory;
  afterwards: Memory;
}

/** An idle session reports its counts within a second. */
const COUNTS_ARRIVE_MS = 1_200;
const SAMPLE_EVERY_MS = 200;

interface Counts {
  nodeSeconds: number;
  postgresSeconds: number;
  commits: number;
  writingCommits: number;
  walBytes: number;
}

const memoryOf = ({ postgresPid }: Installation, { pid }: Server): Memory => ({
  nodeMb: residentMb(pid),
  postgresMb: treeMb(postgresPid),
});

/** Measures a server and its PostgreSQL during loads. */
export async function watchResources(installation: Installation, server: Server, settleMs: number) {
  await sleep(settleMs);
  const atRest = memoryOf(installation, server);
  const underLoad = { ...atRest };
  const total = { nodeSeconds: 0, postgresSeconds: 0, commits: 0, writingCommits: 0, walBytes: 0 };
  let orders = 0;

  async function count(): Promise<Counts> {
    const { rows } = await installation.sql.query(
      `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
         pg_snapshot_xmax(pg_current_snapshot())::text as transactions, pg_current_wal_insert_lsn() - '0/0' as wal_bytes`,
    );
    return {
      nodeSeconds: processorSeconds(server.pid),
      postgresSeconds: treeProcessorSeconds(installation.postgresPid),
      commits: Number(rows[0].commits),
      writingCommits: Number(rows[0].transactions),
      walBytes: Number(rows[0].wal_bytes),
    };
  }

  return {
    async watch<Result extends { succeeded: number }>(act: () => Promise<Result>): Promise<Result> {
      await sleep(COUNTS_ARRIVE_MS);
      const before = await count();
      const timer = setInterval(() => {
        const now = memoryOf(installation, server);
        underLoad.nodeMb = Math.max(underLoad.nodeMb, now.nodeMb);
        underLoad.postgresMb = Math.max(underLoad.postgresMb, now.postgresMb);
      }, SAMPLE_EVERY_MS);
      const result = await act().finally(() => clearInterval(timer));
      // Waits for the last counts.
      await sleep(COUNTS_ARRIVE_MS);
      const after = await count();
      for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += after[name] - before[name];
      orders += result.succeeded;
      return result;
    },
    async finish(): Promise<Resources | undefined> {
      if (orders === 0) return undefined;
      await sleep(settleMs);
      return {
        nodeMicroseconds: (total.nodeSeconds * 1e6) / orders,
        postgresMicroseconds: (total.postgresSeconds * 1e6) / orders,
        commits: total.commits / orders,
        writingCommits: total.writingCommits / orders,
        walBytes: total.walBytes / orders,
        atRest,
        underLoad,
        afterwards: memoryOf(installation, server),
      };
    },
  };
}
