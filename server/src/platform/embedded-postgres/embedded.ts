import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { errorMessage } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { ConnectionTarget } from '../database/connections.ts';
import { type Cluster, DATABASE_NAME, prepareCluster, USER_NAME } from './cluster.ts';
import { isPostgresAlive, readLockedPid, removeLockFiles } from './lock-file.ts';
import { type StartedProcess, startProcess, stopProcess } from './process.ts';
import { claimSession, leaveSession, openSession, type Role } from './session.ts';

interface EmbeddedPostgres {
  target: ConnectionTarget;
  /** Stops PostgreSQL unless another process uses it. */
  close(): Promise<void>;
}

const PORT = 5432;
/** After a crash PostgreSQL first replays up to 1 GB of its log. */
const START_LIMIT_MS = 120_000;
/** A lock file may outlive its process: a slow init took two seconds to reap a killed process. */
const LOCK_PATIENCE_MS = 10_000;
const FIRST_LOOK_AFTER_MS = 10;
const LONGEST_LOOK_PAUSE_MS = 200;
const START_AGAIN_AFTER_MS = 200;
const LONGEST_REVIVAL_PAUSE_MS = 5_000;

/** PostgreSQL's messages if another PostgreSQL has, or just had, the same data directory. */
const TAKEN = /lock file .* (already exists|is empty)|shared memory block|could not bind/;

/**
 * Joins the PostgreSQL that runs on the data directory, or starts it. Restarts it after a crash.
 *
 * @param creates whether to create a missing data directory
 * @throws OperatorError if PostgreSQL cannot start, or if another server uses it
 */
export async function openEmbedded(
  dataDir: string,
  role: Role,
  log: (message: string) => void,
  creates: boolean,
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(dataDir, creates);
  const socket = await openSocketDirectory(cluster);
  // A socket has no TLS, also if PGSSLMODE asks for it.
  const target = { host: socket.path, port: PORT, user: USER_NAME, database: DATABASE_NAME, ssl: false };
  const closing = new AbortController();
  let session: Client | undefined;
  let revival: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  function watch(client: Client): void {
    session = client;
    client.once('end', () => {
      session = undefined;
      if (!closing.signal.aborted) revival = revive();
    });
  }

  async function revive(): Promise<void> {
    log(`PostgreSQL in ${dataDir} ended unexpectedly; starting it again.`);
    for (let pauseMs = 100; !closing.signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_REVIVAL_PAUSE_MS)) {
      try {
        watch(await joinOrStart(cluster, target, role));
        log(`PostgreSQL in ${dataDir} is back.`);
        return;
      } catch (error) {
        log(errorMessage(error));
      }
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function shutDown(): Promise<void> {
    closing.abort();
    try {
      await revival;
      await leave(cluster, target, role, session);
    } finally {
      await socket.close();
    }
  }

  try {
    watch(await joinOrStart(cluster, target, role));
  } catch (error) {
    await socket.close();
    throw error;
  }
  return { target, close: () => (closed ??= shutDown()) };
}

/** Returns a path to the socket's directory that is short enough for a socket's address. */
async function openSocketDirectory({ directory }: Cluster): Promise<{ path: string; close(): Promise<void> }> {
  // `sun_path` has 108 bytes on Linux, 104 on the BSDs and macOS, and ends with a zero.
  const longestBytes = process.platform === 'linux' ? 107 : 103;
  if (Buffer.byteLength(join(directory, `.s.PGSQL.${PORT}`)) <= longestBytes)
    return { path: directory, close: async () => undefined };
  if (process.platform !== 'linux')
    throw new OperatorError(`DATA_DIR ${directory} is too long a path for a socket; set a shorter one.`);
  const handle = await open(directory, 'r');
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}

async function joinOrStart(cluster: Cluster, target: ConnectionTarget, role: Role): Promise<Client> {
  const start = createStarter(cluster);
  const deadlineMs = performance.now() + START_LIMIT_MS;
  let pauseMs = FIRST_LOOK_AFTER_MS;
  while (performance.now() < deadlineMs) {
    const answer = await openSession(target, role);
    if (answer === 'absent') await start();
    else if (answer !== 'busy' && (await claim(cluster, answer, role))) return answer;
    await sleep(pauseMs);
    // Each attempt during a recovery adds a line to PostgreSQL's log.
    pauseMs = Math.min(1.2 * pauseMs, LONGEST_LOOK_PAUSE_MS);
  }
  throw new OperatorError(
    `The embedded PostgreSQL was not ready within ${START_LIMIT_MS / 1000} seconds; its log is ${cluster.logPath}.`,
  );
}

async function claim(cluster: Cluster, client: Client, role: Role): Promise<boolean> {
  try {
    if (await claimSession(client, role, cluster.dataDir)) return true;
    await client.end();
    return false;
  } catch (error) {
    if (!(error instanceof OperatorError)) {
      // Another process was stopping PostgreSQL.
      await client.end().catch(() => undefined);
      return false;
    }
    await stopIfLast(cluster, client);
    throw error;
  }
}

/** Returns a function that starts PostgreSQL if its previous process has ended, and checks why it ended. */
function createStarter(cluster: Cluster): () => Promise<void> {
  let started: StartedProcess | undefined;
  let notBeforeMs = 0;
  let takenSinceMs: number | undefined;
  let removedLockFiles = false;

  async function judgeEnd(ended: StartedProcess): Promise<void> {
    const complaint = await ended.readComplaint();
    const refusal = `The embedded PostgreSQL did not start: ${complaint}; its log is ${cluster.logPath}.`;
    if (!TAKEN.test(complaint)) throw new OperatorError(refusal);
    takenSinceMs ??= performance.now();
    if (performance.now() - takenSinceMs < LOCK_PATIENCE_MS) return;
    const pid = await readLockedPid(cluster.directory);
    if (removedLockFiles || pid === undefined || isPostgresAlive(pid)) throw new OperatorError(refusal);
    await removeLockFiles(cluster.directory);
    removedLockFiles = true;
  }

  return async () => {
    if (started?.isRunning() || performance.now() < notBeforeMs) return;
    if (started) await judgeEnd(started);
    started = await startProcess(cluster);
    notBeforeMs = performance.now() + START_AGAIN_AFTER_MS;
  };
}

const LEAVE_ATTEMPTS = 100;
const LEAVE_PAUSE_MS = 50;

/** Stops PostgreSQL if this was its last user. Connects again if the session was lost and PostgreSQL may still run. */
async function leave(
  cluster: Cluster,
  target: ConnectionTarget,
  role: Role,
  session: Client | undefined,
): Promise<void> {
  if (session && (await stopIfLast(cluster, session))) return;
  for (let attempt = 1; attempt <= LEAVE_ATTEMPTS; attempt += 1) {
    const answer = await openSession(target, role);
    if (answer === 'absent' && !isPostgresAlive((await readLockedPid(cluster.directory)) ?? 0)) return;
    if (typeof answer === 'object' && (await stopIfLast(cluster, answer))) return;
    await sleep(LEAVE_PAUSE_MS);
  }
}

/** Returns false if the session was lost before the answer. */
async function stopIfLast(cluster: Cluster, client: Client): Promise<boolean> {
  try {
    // The session stays open until PostgreSQL ends it, so that no process joins in between.
    if (await leaveSession(client)) await stopProcess(cluster);
    return true;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
