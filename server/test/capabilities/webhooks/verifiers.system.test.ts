import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { goModule } from '../../../../sdk/test/go-command.ts';
import { NO_PYTHON, openPythons, pythonClient } from '../../../../sdk/test/python-environment.ts';
import { createSender } from '../../../src/capabilities/webhooks/send-push.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { createSecret } from '../../../src/platform/base/webhook-signature.ts';
import { blocksOf } from '../../harness/document-samples.ts';
import { freePort, stopChild, until } from '../../harness/server-process.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';

const sender = createSender({ clock: systemClock }, { allowedNetworks: ['127.0.0.0/8'] });
const body = JSON.stringify({ type: 'gift.claimed', event_id: 'evt_1', data: { note: 'für Ada' } });

test('the library of Standard Webhooks verifies each signature of a push', async () => {
  const hook = await startWebhookReceiver();
  const secrets = [createSecret(), createSecret()];
  await sender.send({ url: hook.url, id: 'evt_1', body, secrets });
  const [received] = hook.received;
  assert.ok(received);
  for (const secret of secrets)
    assert.deepEqual(new Webhook(secret).verify(received.text, received.headers), JSON.parse(body));
  assert.throws(() => new Webhook(createSecret()).verify(received.text, received.headers));
  await hook.close();
});

const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
/** The receivers with a client come before those without. */
const samplesOf = (wanted: string) =>
  blocksOf(page)
    .filter(({ language }) => language === wanted)
    .map(({ text }) => text);
const directory = mkdtempSync(join(tmpdir(), 'bestow-receiver-'));
after(() => rmSync(directory, { recursive: true }));
const CLIENT = new URL('../../../../sdk/src/index.ts', import.meta.url).href;

/** Programs that the machine may lack. */
const NEEDS: Record<string, string> = { Python: 'python3', Go: 'go' };
const [inJavaScript = '', ...moreInJavaScript] = samplesOf('javascript');
const [inPython = '', inPythonByHand = '', ...moreInPython] = samplesOf('python');
const [inGo = '', inGoByHand = '', ...moreInGo] = samplesOf('golang');

/** Builds a program with the client of this checkout. */
function buildGo(name: string, text: string): string {
  const project = join(directory, name);
  mkdirSync(project);
  const client = `require bestow.example/bestow v1.0.0\n\nreplace bestow.example/bestow => ${goModule}\n`;
  writeFileSync(join(project, 'go.mod'), `module sample\n\ngo 1.23\n\n${client}`);
  writeFileSync(join(project, 'main.go'), text);
  execFileSync('go', ['build', '-o', 'receiver', '.'], { cwd: project });
  return join(project, 'receiver');
}

type Start = (env: NodeJS.ProcessEnv) => ChildProcess | Promise<ChildProcess>;
const receivers: Record<string, Start> = {
  JavaScript: (env) => {
    const text = inJavaScript.replaceAll("from 'bestow-sdk'", `from '${CLIENT}'`);
    const child = spawn(process.execPath, ['--input-type=module', '-'], { env, stdio: 'pipe' });
    child.stdin.end(text);
    return child;
  },
  Python: async (env) => {
    const [python] = await openPythons(1);
    assert.ok(python, NO_PYTHON);
    const client = { PYTHONPATH: join(pythonClient, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
    return spawn(python.file, ['-c', inPython], { env: { ...env, ...client }, stdio: 'pipe' });
  },
  'Python without a client': (env) => spawn('python3', ['-c', inPythonByHand], { env, stdio: 'pipe' }),
  Go: (env) => spawn(buildGo('client', inGo), { env, stdio: 'pipe' }),
  'Go without a client': (env) => spawn(buildGo('hand', inGoByHand), { env, stdio: 'pipe' }),
};

test('every receiver of the page is tried', () => {
  assert.deepEqual([moreInJavaScript, moreInPython, moreInGo], [[], [], []]);
});

const isMissing = (receiver: string) => {
  const program = NEEDS[receiver.split(' ')[0] ?? ''];
  const isThere = program === undefined || spawnSync('which', [program]).status === 0;
  return isThere ? false : `${program} is not on this machine`;
};

for (const [language, start] of Object.entries(receivers))
  test(`the receiver in ${language} accepts a push, refuses a forged one`, { skip: isMissing(language) }, async () => {
    const [port, secret] = [await freePort(), createSecret()];
    const child = await start({ ...process.env, PORT: String(port), WEBHOOK_SECRET: secret });
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    const url = `http://127.0.0.1:${port}/`;
    try {
      const push = (secrets: string[]) => sender.send({ url, id: 'evt_1', body, secrets });
      await until(async () => (await push([secret]))?.status === 204, 'the receiver accepts');
      await until(() => printed.includes('gift.claimed evt_1'), 'the receiver prints the event');
      assert.equal((await push([createSecret(), secret]))?.status, 204);
      assert.equal((await push([createSecret()]))?.status, 400);
    } finally {
      await stopChild(child, 'SIGKILL');
    }
  });
