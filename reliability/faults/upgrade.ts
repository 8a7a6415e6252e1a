import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DebianPostgres, startDebianPostgres } from '../../server/test/harness/debian-postgres.ts';
import { unpackReleaseBefore } from '../../server/test/harness/release-before.ts';
import { BESTOW, freePort, type RunningProcess, run } from '../../server/test/harness/server-process.ts';
import { checkInvariants } from '../checker/check-invariants.ts';
import { startLoad } from '../load/start-load.ts';
import type { LoadOrganization } from '../load/state.ts';
import { createRecorder, type Recorder } from '../record/recorder.ts';
import type { Fault, FaultContext, FaultResult } from './fault.ts';
import { LINK_SECRET, settles } from './installation.ts';
import { figures } from './load-fault.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { inSeconds } from './report.ts';
import { unexplainedAnswers } from './strange-errors.ts';
import { orderTimes, timesText } from './watch-server.ts';

const BALANCE_CENTS = 100_000_000;
const BETWEEN_MS = 4_000;
const ENDS_WITHIN_MS = 10_000;
/** A server that is being replaced has no answer. A press may wait too long for a lock: the release before then says 500. */
const EXPLAINED = /had no answer \((?:ECONNREFUSED|ECONNRESET|page of status 50[03])\)/;

/** An installation of the release before, which becomes this one. */
interface Upgraded {
  postgres: DebianPostgres;
  recorder: Recorder;
  organizations: LoadOrganization[];
  mailServer: MailServer;
  /** The paths of the two releases' `bestow`. */
  releases: { before: string; next: string };
  command(release: string, ...args: string[]): Promise<string>;
  serve(release: string, port: number, processes: string): Promise<RunningProcess>;
  close(): Promise<void>;
}

export const upgradeUnderLoad: Fault = {
  name: 'upgrade-under-load',
  summary:
    'Two servers of the release before, one of two processes, become this release as docs/backup.md says: each order is placed once, and no call gets an error.',
  fullCount: 5,
  shortCount: 1,
  async run({ count, random, say }: FaultContext): Promise<FaultResult> {
    const result: FaultResult = { count, violations: [], failures: [], recoveriesMs: [], notes: [] };
    for (let number = 1; number <= count; number += 1) {
      const upgraded = await install();
      try {
        const failures = await upgrade(upgraded, random, result);
        result.failures.push(...failures.map((text) => `Number ${number}: ${text}`));
      } finally {
        await upgraded.close();
      }
      say(`${number} of ${count}, ${result.violations.length} violations, ${result.failures.length} broken promises`);
    }
    return result;
  },
};

async function install(): Promise<Upgraded> {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-upgrade-'));
  const postgres = await startDebianPostgres({}, ['max_connections=200']);
  const recorder = createRecorder();
  const mailServer = await startMailServer(recorder, 20);
  const releases = { before: unpackReleaseBefore(join(directory, 'before')), next: BESTOW };
  const publicPort = await freePort();
  const running: RunningProcess[] = [];
  const variables = {
    DATABASE_URL: postgres.url('bestow'),
    DATA_DIR: join(directory, 'data'),
    LINK_SECRET,
    LOG_LEVEL: 'error',
    MAIL_FROM: 'gifts@bestow.example',
    SMTP_URL: mailServer.url,
    PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
    ...Object.fromEntries(
      ['RATE_LIMIT', 'RATE_LIMIT_ADDRESS'].flatMap((limit) => [
        [`${limit}_PER_SECOND`, '1000000'],
        [`${limit}_BURST`, '1000000'],
      ]),
    ),
  };
  const upgraded: Upgraded = {
    postgres,
    recorder,
    organizations: [],
    mailServer,
    releases,
    async command(release, ...args) {
      const { code, stdout, stderr } = await run(process.execPath, [release, ...args], variables).ended;
      if (code !== 0) throw new Error(`bestow ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
    async serve(release, port, processes) {
      const own = { ...variables, PORT: `${port}`, PROCESSES: processes };
      const server = run(process.execPath, [release, 'serve'], own);
      running.push(server);
      await server.ready();
      return server;
    },
    async close() {
      for (const { child } of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
      await mailServer.close();
      await postgres.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    await addOrganizations(upgraded);
  } catch (error) {
    await upgraded.close();
    throw error;
  }
  return upgraded;
}

/** Adds two organizations by commands of the release before. */
async function addOrganizations({ command, organizations, recorder, releases }: Upgraded): Promise<void> {
  const json = async (...args: string[]) => JSON.parse(await command(releases.before, ...args, '--json'));
  await command(releases.before, 'migrate');
  await json('catalog', 'add-built-in');
  for (const number of [1, 2]) {
    const mail = `admin@organization-${number}.test`;
    const created = await json('org', 'create', '--name', `Organization o${number}-name`, '--admin-email', mail);
    const organizationId: string = created.organization_id;
    for (const environment of ['live', 'sandbox'] as const) {
      const of = ['--org', organizationId, '--environment', environment];
      const { key } = await json('key', 'create', ...of, '--name', 'load');
      const amount = ['--amount', `${BALANCE_CENTS}`, '--reference', 'first', '--yes'];
      const request = { amount_cents: BALANCE_CENTS, reference: 'first' };
      await recorder.call({ operation: 'fund', organizationId, environment, request }, async () => {
        await json('balance', 'add', ...of, ...amount);
        return { kind: 'ok', status: 200, answer: null };
      });
      organizations.push({ organizationId, environment, key, number, resets: false });
    }
  }
}

async function upgrade(upgraded: Upgraded, random: () => number, result: FaultResult): Promise<string[]> {
  const { organizations, postgres, recorder, releases, command, serve } = upgraded;
  const failures: string[] = [];
  const ports = [await freePort(), await freePort()];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const servers = [
    { port: ports[0] ?? 0, processes: '2' },
    { port: ports[1] ?? 0, processes: '1' },
  ];
  const running = [];
  for (const { port, processes } of servers) running.push(await serve(releases.before, port, processes));
  const load = startLoad({ urls, organizations, recorder, random });
  await sleep(BETWEEN_MS);
  await command(releases.next, 'migrate');
  await sleep(BETWEEN_MS);
  for (const [index, { port, processes }] of servers.entries()) {
    const stoppedAtMs = performance.now();
    running[index]?.signal('SIGTERM');
    const ending = await running[index]?.ended;
    const tookMs = performance.now() - stoppedAtMs;
    if (ending?.code !== 0) failures.push(`a server ended with ${ending?.code ?? ending?.signal}: ${ending?.stderr}`);
    if (tookMs > ENDS_WITHIN_MS) failures.push(`a server took ${Math.round(tookMs)} ms to end.`);
    await serve(releases.next, port, processes);
    result.notes.push(
      `a server ended after ${inSeconds(tookMs)} and was ready after ${inSeconds(performance.now() - stoppedAtMs)}`,
    );
    result.recoveriesMs.push(performance.now() - stoppedAtMs);
    await sleep(BETWEEN_MS);
  }
  await load.stop();
  const sql = async <Row>(text: string) => (await postgres.query(text)) as Row[];
  if (!(await settles({ sql }))) failures.push('It hung: work was pending two minutes after the load.');
  const checked = { target: postgres.target('bestow'), recorder, url: urls[0] ?? '', keys: organizations };
  result.violations.push(...(await checkInvariants(checked)));
  failures.push(...unexplainedAnswers(recorder).filter((text) => !EXPLAINED.test(text)));
  for (const chain of ['ledger', 'audit']) await command(releases.next, chain, 'verify');
  result.notes.push(figures(recorder), timesText('orders', orderTimes(recorder, 0)));
  return failures;
}
