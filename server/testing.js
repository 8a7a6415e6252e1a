// For other projects' test suites on Node 20 or later: plain JavaScript without dependencies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BESTOW = fileURLToPath(new URL('./bin/bestow.js', import.meta.url));
const STOP_WITHIN_MS = 15_000;
const KEPT_CHARACTERS = 10_000;

/** @type {import('./testing.d.ts').startBestow} */
export async function startBestow({ settings = {}, startWithinMs = 30_000 } = {}) {
  const args = [BESTOW, 'serve', '--ephemeral', '--port', '0', '--json'];
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  ended.catch(() => undefined);

  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.kill('SIGTERM');
    // The server's guard process removes the files of a killed server.
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }

  try {
    const { base_url, sandbox_key, live_key, outbox_url, control_url } = JSON.parse(
      await readLine(child, startWithinMs),
    );
    // A suite that forgets to stop the server can still exit; the server then stops too.
    child.unref();
    for (const stream of [child.stdout, child.stderr]) stream.resume().unref?.();
    const keys = { sandboxKey: sandbox_key, liveKey: live_key };
    return {
      baseUrl: base_url,
      ...keys,
      outboxUrl: outbox_url,
      addFunds: (cents, environment = 'sandbox') => control(`${control_url}funds`, { cents, environment }),
      advance: (ms) => control(`${control_url}clock`, { ms }),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {string} url
 * @param {object} input
 */
async function control(url, input) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(input) });
  const { error } = await response.json();
  if (error !== undefined) throw new Error(error);
}

/**
 * Reads the first line of standard output.
 *
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {number} withinMs
 * @returns {Promise<string>}
 */
function readLine(child, withinMs) {
  return new Promise((resolve, reject) => {
    let line = '';
    let complaint = '';
    const fail = (/** @type {string} */ why) =>
      reject(new Error(`Bestow did not start: ${reasonIn(complaint) || why}`));
    const timer = setTimeout(() => fail(`it was not ready within ${withinMs} ms`), withinMs);
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaint = `${complaint}${text}`.slice(-KEPT_CHARACTERS);
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      line += text;
      if (!line.includes('\n')) return;
      clearTimeout(timer);
      resolve(line);
    });
    child.on('error', ({ message }) => fail(message));
    child.on('close', (code) => {
      clearTimeout(timer);
      fail(`it ended with ${code}`);
    });
  });
}

/**
 * With `--json` the server's reason is JSON, after lines of its log.
 *
 * @param {string} complaint
 */
function reasonIn(complaint) {
  const [line] = /^\{"error":\{"code".*$/m.exec(complaint) ?? [];
  return line === undefined ? complaint.trim() : JSON.parse(line).error.message;
}
