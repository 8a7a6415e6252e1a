import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { access, appendFile, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopWithParent } from '../../../bin/stop-with-parent.js';
import { type Config, readConfig } from '../../platform/configuration/config.ts';
import { findPackage } from '../../platform/embedded-postgres/binaries.ts';
import { makeDirectoryWhole } from '../../platform/embedded-postgres/make-directory-whole.ts';
import { openDatabase } from '../../platform/installation/open-database.ts';

type Variables = Record<string, string | undefined>;

/** All other settings could lead to real databases, mail servers and addresses. */
const ALLOWED_SETTINGS = [
  'PORT',
  'HOST',
  'CURRENCY',
  'LOG_LEVEL',
  'SERVE_ENVIRONMENTS',
  'RATE_LIMIT_PER_SECOND',
  'RATE_LIMIT_BURST',
  'RATE_LIMIT_ADDRESS_PER_SECOND',
  'RATE_LIMIT_ADDRESS_BURST',
  'ORDER_LOCK_WAIT_MS',
  'ORDER_BATCH',
  'RESEND_LIMIT',
  'LINK_TTL_DAYS',
  'SANDBOX_MAIL_DOMAIN',
];

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/bestow-ephemeral', import.meta.url));

/** The data is temporary, so PostgreSQL need not wait for the disk. */
const POSTGRES_SETTINGS = 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n';

/**
 * A shell script that waits until its standard input closes, which means that the server has ended; then it stops
 * PostgreSQL and removes the directory. It runs in its own session, so that a kill of the server's group spares it.
 */
const GUARD = `read -r _
pid=$(head -n 1 "$0/postgres/postmaster.pid" 2>/dev/null)
[ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null
left=50
while [ -e "$0" ] && [ $left -gt 0 ]; do rm -rf "$0"; left=$((left - 1)); [ -e "$0" ] && sleep 0.1; done`;

/**
 * Makes a temporary data directory with a migrated database and returns its settings. The directory is removed when this
 * process ends, also if the process is killed. This process stops when its parent ends.
 *
 * @throws OperatorError if PostgreSQL is not available
 */
export async function openEphemeral(variables: Variables): Promise<Config> {
  const allowed = Object.fromEntries(ALLOWED_SETTINGS.map((name) => [name, variables[name]]));
  const directory = join(tmpdir(), `bestow-ephemeral-${randomUUID()}`);
  // Before the directory exists: a kill must never leave the directory.
  guard(directory);
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  mkdirSync(directory, { mode: 0o700 });
  stopWithParent(() => process.kill(process.pid, 'SIGTERM'));
  const config = readConfig({
    ...allowed,
    LOG_LEVEL: variables['LOG_LEVEL'] || 'warn',
    DATA_DIR: directory,
    DEMO: '1',
    PROCESSES: '1',
  });
  await fill(directory);
  return config;
}

function guard(directory: string): void {
  const child = spawn('sh', ['-c', GUARD, directory], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {
    // Without a shell, only a killed process leaves its directory.
  });
  child.unref();
}

/** Copies the template database; the first start makes the template. */
async function fill(directory: string): Promise<void> {
  const cluster = join(directory, 'postgres');
  const template = join(CACHE, templateName());
  if (await isThere(template)) cpSync(join(template, 'postgres'), cluster, { recursive: true });
  else {
    await migrateNew(directory);
    // In a read-only checkout every start migrates again.
    await keep(cluster, template).catch(() => undefined);
  }
  await appendFile(join(cluster, 'postgresql.conf'), POSTGRES_SETTINGS);
}

async function migrateNew(dataDir: string): Promise<void> {
  const { close } = await openDatabase({ databaseUrls: [], dataDir }, 'server');
  await close();
}

async function keep(cluster: string, template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true, mode: 0o700 });
  await makeDirectoryWhole(template, async (path) => cpSync(cluster, join(path, 'postgres'), { recursive: true }));
  for (const name of await readdir(dirname(template)))
    if (name !== basename(template) && !name.includes('.new-')) await rm(join(CACHE, name), { recursive: true });
}

/** Hashes everything that the template's content depends on. */
function templateName(): string {
  const postgres = join(findPackage(process.platform, process.arch), 'package.json');
  const queue = fileURLToPath(import.meta.resolve('pg-boss/package.json'));
  const hash = createHash('sha256');
  for (const path of [postgres, queue, ...migrations()]) hash.update(readFileSync(path));
  return `template-${hash.digest('hex').slice(0, 32)}`;
}

function migrations(): string[] {
  const folder = fileURLToPath(new URL('../../platform/database/migrations', import.meta.url));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(folder, name));
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
