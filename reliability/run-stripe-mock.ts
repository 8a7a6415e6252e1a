// `npm run stripe-mock`: runs the tests that use Stripe, and sends every request that the service made in them to Stripe's own
// mock (github.com/stripe/stripe-mock), which knows the shape of each request and keeps no state. It needs Go, and installs the
// mock in `node_modules/.cache/stripe-mock`. The last line is the sum; the exit code is 1 if a request was refused.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = 'v0.203.0';
const STARTED = /Listening for HTTP at address: (?<address>\S+)/;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = [
  'server/test/capabilities/stripe/stripe.test.ts',
  ...globSync(
    [
      'server/test/capabilities/topups/*.test.ts',
      'server/test/capabilities/issuers/{stripe-claim,stripe-purchases,forget-holder}.test.ts',
    ],
    { cwd: ROOT },
  ),
];
const CACHE = join(ROOT, 'node_modules/.cache/stripe-mock', VERSION);
const PROGRAM = join(CACHE, 'stripe-mock');
const say = (line: string) => process.stdout.write(`${line}\n`);

function install(): void {
  if (existsSync(PROGRAM)) return;
  const env = { ...process.env, GOBIN: CACHE };
  const { status } = spawnSync('go', ['install', `github.com/stripe/stripe-mock@${VERSION}`], {
    env,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('go could not install stripe-mock.');
}

type Recorded = [operation: string, url: string, text: string];

/** @returns each request once */
function record(): Recorded[] {
  const directory = mkdtempSync(join(tmpdir(), 'stripe-requests-'));
  const file = join(directory, 'requests');
  const env = { ...process.env, STRIPE_REQUESTS_FILE: file };
  const { status } = spawnSync(process.execPath, ['server/test/run.ts', ...FILES], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The tests that use Stripe failed.');
  const lines = new Set(readFileSync(file, 'utf8').trim().split('\n'));
  rmSync(directory, { recursive: true });
  return [...lines].map((line) => JSON.parse(line) as Recorded);
}

async function startMock() {
  const child = spawn(PROGRAM, ['-http-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`stripe-mock ended: ${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = STARTED.exec(output)?.groups?.['address'];
      if (found !== undefined) resolve(found);
    });
  });
  return { address, stop: () => child.kill() };
}

async function judge(address: string, [operation, url, text]: Recorded): Promise<string | undefined> {
  const [method = ''] = operation.split(' ');
  const response = await fetch(`http://${address}${url}`, {
    method,
    headers: { Authorization: 'Bearer sk_test_123', 'Content-Type': 'application/x-www-form-urlencoded' },
    ...(method === 'GET' ? {} : { body: text }),
  });
  return response.status < 400 ? undefined : `${operation} ${text}: ${response.status} ${await response.text()}`;
}

if (spawnSync('go', ['version']).status !== 0) {
  say('- stripe-mock: not tried, Go is not on this machine');
  say('0 passed, 0 failed');
  process.exit(0);
}
install();
const requests = record();
const { address, stop } = await startMock();
const answers = await Promise.all(requests.map((request) => judge(address, request))).finally(stop);
const refused = answers.filter((answer) => answer !== undefined);
for (const answer of refused) say(`✖ ${answer}`);
const operations = new Set(requests.map(([operation]) => operation));
say(`stripe-mock ${VERSION}: ${requests.length} requests to ${operations.size} operations`);
say(`${requests.length - refused.length} passed, ${refused.length} failed`);
process.exitCode = refused.length === 0 && requests.length > 0 ? 0 : 1;
