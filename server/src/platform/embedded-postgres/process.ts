import { spawn } from 'node:child_process';
import { constants, type FileHandle, lstat, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, errorMessage } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { writeAuthentication } from './authentication.ts';
import { type Cluster, cannotRun, dataArguments, lastComplaint, spawnOptions } from './cluster.ts';
import { handOverOpened } from './hand-over.ts';
import { isPostgresAlive, readLockedPid } from './lock-file.ts';

/** Passed on the command line, so that the settings of a new release also apply to an older data directory. */
const SETTINGS: Record<string, string> = {
  cluster_name: 'bestow',
  listen_addresses: '',
  // PostgreSQL works in its data directory, and a path relative to it is never too long for a socket.
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  // For eight processes (`mostConnections` each), commands, and three that PostgreSQL reserves.
  max_connections: '300',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  // A new table has no statistics and gets thousands of rows within seconds. Until it is analyzed, foreign keys' checks use
  // the wrong index (an order of ten gifts took 24 ms instead of 4).
  autovacuum_naptime: '5s',
  // Saves three processes of version 18's default; the data that is read fits into the buffers.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  // Logs starts, stops and crashes. Refused statements would put addresses into this file; the service logs them itself.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const COMPLAINT_LIMIT_BYTES = 64 * 1024;

/** One attempt to start PostgreSQL. */
export interface StartedProcess {
  isRunning(): boolean;
  /** Returns in one line why it ended, from the log since its start. */
  readComplaint(): Promise<string>;
}

/**
 * Starts PostgreSQL in its own session, so that Ctrl-C does not stop it before the server, and with a log file, so that it
 * can outlive this process.
 *
 * @throws OperatorError if the log or the program cannot be opened
 */
export async function startProcess(cluster: Cluster): Promise<StartedProcess> {
  await writeAuthentication(cluster);
  const log = await openLog(cluster);
  const program = join(cluster.binaries.directory, 'bin', 'postgres');
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let isRunning = true;
  const ended = () => {
    isRunning = false;
  };
  try {
    const { size: logStart } = await log.stat();
    const child = spawn(program, [...dataArguments(cluster.directory), ...settings], {
      ...spawnOptions(cluster, cluster.directory),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.on('exit', ended);
    await new Promise<void>((resolve, reject) => {
      child.on('spawn', resolve);
      child.on('error', (error) => reject(cannotRun(program, error)));
    });
    child.unref();
    return { isRunning: () => isRunning, readComplaint: () => readComplaint(cluster.logPath, logStart, child.pid) };
  } finally {
    await log.close();
  }
}

async function openLog({ logPath, account }: Cluster): Promise<FileHandle> {
  // Root must not write through a link that a user put there.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  let log: FileHandle | undefined;
  try {
    const earlier = await lstat(logPath).catch(() => undefined);
    if (earlier && earlier.size > LOG_LIMIT_BYTES) await rename(logPath, `${logPath}.1`);
    log = await open(logPath, flags, 0o600);
    // So that the data's owner can start PostgreSQL later without root.
    if (account) await handOverOpened(log, account);
    return log;
  } catch (error) {
    await log?.close();
    throw new OperatorError(`PostgreSQL's log ${logPath} cannot be written (${errorCode(error)}); remove it.`);
  }
}

async function readComplaint(logPath: string, start: number, pid: number | undefined): Promise<string> {
  const text = (await readFile(logPath)).subarray(start).subarray(-COMPLAINT_LIMIT_BYTES).toString();
  // Another process may start a PostgreSQL that logs to the same file. Lines of the dynamic loader have no process id.
  const own = linesOf(text, [String(pid)]);
  return lastComplaint(own.length > 0 ? own.join('\n') : text);
}

/** The lines of PostgreSQL's processes, and of those whose end they report: the startup process knows why it failed. */
export function linesOf(text: string, pids: readonly string[]): string[] {
  const lines = text.split('\n');
  const areOf = (some: readonly string[]) => lines.filter((line) => some.some((pid) => line.includes(` [${pid}] `)));
  const ended = areOf(pids).flatMap((line) =>
    [...(/\(PID (\d+)\) (?:exited|was terminated)/.exec(line) ?? [])].slice(1),
  );
  return areOf([...pids, ...ended]);
}

const STOP_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 5;

/**
 * Stops PostgreSQL, which ends all sessions and writes everything to disk. Returns when the process is gone.
 *
 * @throws OperatorError if PostgreSQL does not end in time
 */
export async function stopProcess(cluster: Cluster): Promise<void> {
  const pid = await readLockedPid(cluster.directory);
  if (pid === undefined || !isPostgresAlive(pid)) return;
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    throw new OperatorError(`PostgreSQL (process ${pid}) cannot be stopped: ${errorMessage(error)}.`);
  }
  const deadlineMs = performance.now() + STOP_LIMIT_MS;
  while (isPostgresAlive(pid)) {
    if (performance.now() > deadlineMs)
      throw new OperatorError(
        `PostgreSQL (process ${pid}) did not stop within ${STOP_LIMIT_MS / 1000} seconds; see ${cluster.logPath}.`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}
