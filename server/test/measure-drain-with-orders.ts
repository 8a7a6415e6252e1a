// `node server/test/measure-drain-with-orders.ts [gifts] [seconds]`: how many orders a server places while a worker sends
// emails, against its rate alone (issue 3: at least 0.8 × the rate alone × (1 − the worker's share of the processor)).
// It needs `wrk`, and two cores that do nothing else. Everything runs on this machine and is removed.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cpuSeconds, type Drain, installDrain, residentMb, stop } from './harness/drain.ts';

const gifts = Number(process.argv[2] ?? 20_000);
const seconds = Number(process.argv[3] ?? 15);
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 32;
const ORGANIZATIONS = 2 * CONNECTIONS;

const order = {
  gifts: [
    { amount: 2500, category: 'coffee', delivery: { method: 'email', email: 'delivered@sandbox.gift.test' } },
    { amount: 5000, category: 'books', delivery: { method: 'link' } },
  ],
};

/**
 * Each request is an order with a key of its own. Each connection has a thread and two organizations to itself, so that no
 * order finds its balance locked.
 */
const script = (keys: string[]) => `
local keys = { ${keys.map((key) => `"${key}"`).join(', ')} }
local threads = 0
setup = function(thread)
  thread:set("id", threads)
  threads = threads + 1
end
local run = tostring(os.time())
local n = 0
wrk.method = "POST"
wrk.body = ${JSON.stringify(JSON.stringify(order))}
request = function()
  n = n + 1
  wrk.headers["Authorization"] = "Bearer " .. keys[2 * id + n % 2 + 1]
  wrk.headers["Idempotency-Key"] = run .. "-" .. id .. "-" .. n
  return wrk.format()
end
done = function(summary)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write("result " .. summary.requests .. " " .. summary.duration .. " " .. failed .. "\\n")
end
`;

const directory = await mkdtemp(join(tmpdir(), 'bestow-orders-'));
const scriptPath = join(directory, 'orders.lua');

/** How the orders went, and processor seconds of those who took part. */
interface Period {
  rate: number;
  seconds: number;
  orders: number;
  used: { server: number; postgres: number; load: number; worker: number; sink: number; workerPostgres: number };
  /** Share of the processors that went to nobody named above, such as other programs on this machine. */
  strangers: number;
}

/** All processors' busy seconds since the machine's start. */
function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (
    readFileSync('/proc/stat', 'utf8').match(/\d+/g) ?? []
  )
    .slice(0, 7)
    .map(Number);
  return (user + nice + system + irq + softirq) / 100;
}

async function placeOrders(
  url: string,
  forSeconds: number,
): Promise<{ orders: number; seconds: number; used: number }> {
  // What the last run left under way holds its balance's lock a moment longer.
  await sleep(500);
  const args = [`-t${CONNECTIONS}`, `-c${CONNECTIONS}`, `-d${forSeconds}s`, '-s', scriptPath, `${url}/v1/orders`];
  const { stdout } = await promisify(execFile)('bash', ['-c', '"$0" "$@"; times', 'wrk', ...args]);
  const [, orders, microseconds, failed] = /^result (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
  if (orders === undefined || Number(failed) > 0) throw new Error(stdout);
  // The last line is what the children took: 0m1.234s 0m0.567s
  const used = [...(stdout.trimEnd().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return {
    orders: Number(orders),
    seconds: Number(microseconds) / 1e6,
    used: used.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0),
  };
}

async function measure(drain: Drain, server: { url: string; pid: number }, workerPid?: number): Promise<Period> {
  const look = async () => {
    const postgres = await drain.backends();
    return {
      server: cpuSeconds(server.pid),
      postgres: postgres.others,
      worker: workerPid === undefined ? 0 : cpuSeconds(workerPid),
      sink: cpuSeconds(drain.sinkPid),
      workerPostgres: postgres.worker,
    };
  };
  const [before, busyBefore, startedAtMs] = [await look(), busySeconds(), performance.now()];
  const placed = await placeOrders(server.url, seconds);
  const [after, busy, wall] = [await look(), busySeconds() - busyBefore, (performance.now() - startedAtMs) / 1000];
  const used = {
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    load: placed.used,
    worker: after.worker - before.worker,
    sink: after.sink - before.sink,
    workerPostgres: after.workerPostgres - before.workerPostgres,
  };
  const named = Object.values(used).reduce((sum, one) => sum + one, 0);
  return {
    rate: placed.orders / placed.seconds,
    seconds: wall,
    orders: placed.orders,
    used,
    strangers: (busy - named) / (availableParallelism() * wall),
  };
}

async function startServer(drain: Drain): Promise<{ url: string; pid: number }> {
  const server = drain.bestow(['serve', '--no-worker'], {
    PORT: '0',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
  });
  if (server.stdout === null) throw new Error('There is no output.');
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /^ {2}Address +(\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { url: url.replace('localhost', '127.0.0.1'), pid: server.pid ?? 0 };
  }
  throw new Error('The server did not start.');
}

const drain = await installDrain();
try {
  const keys: string[] = [];
  while (keys.length < ORGANIZATIONS) keys.push(await drain.addCustomer('sandbox', 1_000_000_000_000));
  await writeFile(scriptPath, script(keys));
  await drain.orderEmails(gifts);
  const server = await startServer(drain);
  await placeOrders(server.url, WARM_UP_SECONDS);
  const before = await measure(drain, server);

  const startedAtMs = performance.now();
  const worker = drain.startWorker();
  while (drain.received() < gifts / 100) {
    await sleep(50);
    if (worker.exitCode !== null) throw new Error(`The worker ended with ${worker.exitCode}.`);
  }
  const sentBefore = drain.received();
  const both = await measure(drain, server, worker.pid);
  const sent = drain.received() - sentBefore;
  if ((await drain.countPending()) === 0) throw new Error('All was sent while orders were placed: take more gifts.');
  let mostMb = residentMb(worker.pid);
  while ((await drain.countPending()) > 0) {
    await sleep(500);
    mostMb = Math.max(mostMb, residentMb(worker.pid));
  }
  const drainSeconds = (performance.now() - startedAtMs) / 1000;
  await stop(worker);
  // Once more, because tables grow and machines change their pace.
  const after = await measure(drain, server);

  const alone = (before.rate + after.rate) / 2;
  const share =
    (both.used.worker + both.used.sink + both.used.workerPostgres) / (availableParallelism() * both.seconds);
  const costMs = ({ used, orders }: Period) => (((used.server + used.postgres) / orders) * 1000).toFixed(2);
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  process.stdout.write(
    [
      `${Math.round(before.rate)} and ${Math.round(after.rate)} orders a second alone, ${Math.round(both.rate)} while ${Math.round(sent / both.seconds)} emails a second were sent`,
      `with / (alone × (1 − share)) = ${(both.rate / (alone * (1 - share))).toFixed(3)}, share = ${share.toFixed(3)}`,
      `processor ms an order (server and its PostgreSQL): ${costMs(before)} and ${costMs(after)} alone, ${costMs(both)} with`,
      `strangers’ share of the processor: ${[before, both, after].map(({ strangers }) => percent(strangers)).join(', ')}`,
      `all ${gifts} sent in ${drainSeconds.toFixed(0)} s, at most ${Math.round(mostMb)} MB`,
      '',
    ].join('\n'),
  );
} finally {
  await drain.close();
  await rm(directory, { recursive: true, force: true });
}
