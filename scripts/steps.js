// Shows what an installation does, from its first second: a line for each step, with its seconds. At a terminal the
// seconds of the steps under way are counted in the last line, unless the service writes there too.
import { performance } from 'node:perf_hooks';

const isTerminal = process.stderr.isTTY === true && process.env.BESIDE_NPM === undefined;
/** What is under way, and since when. */
const running = new Map();

const secondsSince = (startedMs, digits) => ((performance.now() - startedMs) / 1_000).toFixed(digits);

function show(line = '') {
  const now = [...running].map(([what, startedMs]) => `${what} … ${secondsSince(startedMs, 0)} s`).join(', ');
  if (isTerminal) process.stderr.write(`\r\x1b[K${line}${now}`);
  else process.stderr.write(line);
}

/**
 * @template Result
 * @param {string} what is being done, such as `Building the portal`
 * @param {string} about how long it takes on a quiet machine
 * @param {() => Promise<Result>} act
 * @returns {Promise<Result>}
 */
export async function step(what, about, act) {
  const startedMs = performance.now();
  show(`${what}: about ${about} …\n`);
  running.set(what, startedMs);
  const counting = isTerminal ? setInterval(() => show(), 1_000) : undefined;
  try {
    return await act();
  } finally {
    clearInterval(counting);
    running.delete(what);
    show(`${what}: took ${secondsSince(startedMs, 1)} s.\n`);
  }
}
