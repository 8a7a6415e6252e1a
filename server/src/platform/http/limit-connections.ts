import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { PlatformDeps } from '../deps.ts';

/** For PostgreSQL, mail servers, webhooks and files: a server of one database has some 60 open under load. */
const LEAST_KEPT = 128;
const REPORT_EVERY_MS = 60_000;

/**
 * Limits the connections of clients below the files that the process may open: otherwise clients would take the files that
 * connections to PostgreSQL need. Further ones are closed, which the log says once a minute.
 */
export function limitConnections(server: Server, { clock, log }: Pick<PlatformDeps, 'clock' | 'log'>): void {
  const files = openFilesLimit();
  if (files === undefined) return;
  const most = files - Math.floor(Math.min(files / 2, Math.max(LEAST_KEPT, files / 4)));
  // Without `dropMaxConnection`, which Node's types lack, full processes of one port would pass a connection to each other.
  Object.assign(server, { maxConnections: most, dropMaxConnection: true });
  let refused = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    refused += 1;
    if (clock.now() - reportedAtMs < REPORT_EVERY_MS) return;
    log.warn(
      { refused, connections: most, open_files: files },
      'New connections were refused: the process may open too few files (ulimit -n, LimitNOFILE).',
    );
    refused = 0;
    reportedAtMs = clock.now();
  });
}

/** Returns how many files the process may open, which Node has raised as far as it may; undefined: unlimited, or not Linux. */
function openFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
