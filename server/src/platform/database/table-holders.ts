import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { type ConnectionTarget, clientConfig } from './connections.ts';

const POLL_MS = 50;

/** `pg_stat_activity` shows a transaction's age to its own user and to administrators only. */
const HOLDERS = `select pid, application_name, extract(epoch from clock_timestamp() - xact_start)::integer as seconds
  from pg_stat_activity where pid = any(pg_blocking_pids($1)) order by xact_start`;

interface HolderRow {
  pid: number;
  application_name: string;
  seconds: number | null;
}

const describe = ({ pid, application_name, seconds }: HolderRow) =>
  `session ${pid} (${application_name || 'without a name'}, for ${seconds ?? 'unknown'} s)`;

/**
 * Finds the sessions that this client's act waits for.
 *
 * @returns the sessions in words, and what the act failed with
 */
export async function tableHolders(
  target: ConnectionTarget,
  client: Client,
  act: () => Promise<void>,
): Promise<{ holders: string; failure: unknown }> {
  const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const watcher = new Client(clientConfig(target, 0));
  await watcher.connect();
  try {
    let isOver = false;
    const failure = act()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => {
        isOver = true;
      });
    let holders: HolderRow[] = [];
    while (!isOver && holders.length === 0) {
      await wait(POLL_MS);
      ({ rows: holders } = await watcher.query<HolderRow>(HOLDERS, [own[0]?.pid]));
    }
    return { holders: holders.map(describe).join(' and ') || 'another session', failure: await failure };
  } finally {
    await watcher.end();
  }
}
