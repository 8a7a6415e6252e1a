import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApiClient } from '../server/test/harness/api-client.ts';
import { CATEGORY, GIFT_CENTS } from './ceiling/statements.ts';
import { BESTOW, type Installation, install, stop } from './installation.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number } from './print.ts';
import { processorSeconds, residentMb } from './processor.ts';

const SINK = fileURLToPath(new URL('../server/test/harness/smtp-sink.ts', import.meta.url));
const GIFTS_PER_ORDER = 10;
const MAIL_DOMAINS = 7;
const LEAST_PER_SECOND = 300;
const MOST_MB = 250;

export interface DrainResult {
  machine: Machine;
  emails: number;
  /** Includes the start of the worker process. */
  perSecond: number;
  mostMb: number;
  processorSeconds: number;
  isMet: boolean;
  /** Whether `bestow ledger verify` finds nothing wrong. */
  invariantsHold: boolean;
}

interface Options {
  emails: number;
  say(text: string): void;
}

/** Measures how fast one worker sends waiting emails, and its memory. */
export async function runDrain({ emails, say }: Options): Promise<DrainResult> {
  const machine = describeMachine();
  const installation = await install();
  const sink = spawn(process.execPath, [SINK], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: sink.stdout });
    const [port] = (await once(lines, 'line')) as [string];
    lines.on('line', () => undefined);
    const shared = { DATABASE_URL: installation.databaseUrl, LINK_SECRET: randomBytes(32).toString('hex') };
    say(`ordering ${number(emails)} emails`);
    await orderEmails(installation, shared, emails);
    say('a worker sends them');
    const drained = await drain(installation, { ...shared, SMTP_URL: `smtp://127.0.0.1:${port}` });
    const invariantsHold = await installation.invariantsHold();
    const isMet = invariantsHold && drained.perSecond >= LEAST_PER_SECOND && drained.mostMb < MOST_MB;
    return { machine, emails, ...drained, isMet, invariantsHold };
  } finally {
    await stop(sink);
    await installation.close();
  }
}

/** Places orders while no mail server is set, so the emails wait. */
async function orderEmails(installation: Installation, settings: Record<string, string>, emails: number) {
  const [organization] = await installation.seed(1, 'live');
  const server = await installation.startServer(settings);
  const api = createApiClient(server.url, organization?.key);
  for (let n = 0; n < emails; n += GIFTS_PER_ORDER) {
    const gifts = Array.from({ length: Math.min(GIFTS_PER_ORDER, emails - n) }, (_, index) => ({
      amount: GIFT_CENTS,
      category: CATEGORY,
      delivery: { method: 'email', email: `person-${n + index}@company-${n % MAIL_DOMAINS}.example` },
      personalization: { recipient_name: 'Ada Lovelace', sender_name: 'The team' },
    }));
    const { status, body } = await api.order(gifts);
    if (status !== 201) throw new Error(`An order was answered with ${status}: ${JSON.stringify(body)}`);
  }
  await server.stop();
}

async function drain({ sql }: Installation, settings: Record<string, string>) {
  const waiting = async () => {
    const { rows } = await sql.query("select count(*)::integer as waiting from deliveries where state = 'pending'");
    return rows[0].waiting as number;
  };
  const emails = await waiting();
  const startedAtMs = performance.now();
  const worker = spawn(process.execPath, [BESTOW, 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'https://gifts.example.com',
      MAIL_FROM: 'gifts@example.com',
      ...settings,
    },
  });
  try {
    const pid = worker.pid ?? 0;
    let mostMb = 0;
    while ((await waiting()) > 0) {
      if (worker.exitCode !== null) throw new Error(`The worker ended with ${worker.exitCode}.`);
      mostMb = Math.max(mostMb, residentMb(pid));
      await sleep(200);
    }
    const perSecond = emails / ((performance.now() - startedAtMs) / 1_000);
    return { perSecond, mostMb, processorSeconds: processorSeconds(pid) };
  } finally {
    await stop(worker);
  }
}

export function presentDrain({
  machine,
  emails,
  perSecond,
  mostMb,
  isMet,
  invariantsHold,
  ...used
}: DrainResult): string {
  const sent = `${number(emails)} emails, ${number(perSecond)} a second; the worker took at most ${number(mostMb)} MB and ${number(used.processorSeconds, 1)} s of the processor.`;
  const verdict = `The invariants ${invariantsHold ? 'hold' : 'do NOT hold'}. Goal (at least ${LEAST_PER_SECOND} a second, below ${MOST_MB} MB): ${isMet ? 'met' : 'not met'}.`;
  return `${describe(machine)}\n\n${sent}\n${verdict}\n`;
}
