import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childrenOf } from '../../../server/test/harness/server-process.ts';
import { failuresOfProbe, loadFault } from '../load-fault.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { postmasterPid } from '../server-faults.ts';
import { countStalls, mailTimes, orderTimes, refusals, timesText, watchedText, watchServer } from '../watch-server.ts';

const CORE = '0';
const HELD_MS = 20_000;
/** With pauses between them; clients that wait ask for less. */
const LOAD = { clients: 24, perSecond: 150 };
const NORMAL_WITHIN_MS = 5_000;

export const oneCore = loadFault({
  name: 'one-core',
  summary:
    'Two processes of a server and PostgreSQL share one core under load: orders and mails go on, and no call is refused without its reason in the log.',
  fullCount: 5,
  shortCount: 1,
  async start(installation, { random }) {
    const { recorder } = installation;
    // Its sessions begin on this core too.
    const postmaster = `${await postmasterPid(installation)}`;
    await promisify(execFile)('taskset', ['--all-tasks', '--pid', '--cpu-list', CORE, postmaster]);
    const through = ['taskset', '--cpu-list', CORE];
    const server = await installation.startServer({ through, variables: { PROCESSES: '2' } });
    const { url, child } = server;
    const processes = childrenOf(server).join();
    const lasting = installation.organizations.filter(({ resets }) => !resets);
    const notes: string[] = [];
    return {
      load: { urls: [url], ...LOAD },
      url: () => url,
      async inject() {
        const [calls, messages] = [recorder.calls.length, recorder.messages.length];
        const stalls = countStalls(server.stdout());
        const watch = watchServer(installation, server);
        await sleep(HELD_MS);
        const watched = await watch.stop();
        const beganAtMs = performance.now();
        const organization = pick(random, lasting);
        const { outcome, knownAtMs } = await probeOrder(installation, { urls: [url], organization, random });
        const recoveryMs = knownAtMs - beganAtMs;
        const refused = refusals(recorder, calls);
        const [orders, mails] = [orderTimes(recorder, calls), mailTimes(recorder, messages)];
        notes.push(`${timesText('orders', orders)}; ${timesText('mails', mails)}; ${watchedText(watched)}`);
        notes.push(`${refused.length} calls of ${recorder.calls.length - calls} refused`);
        const failures = failuresOfProbe(outcome);
        if (countStalls(server.stdout()) - stalls < refused.length)
          failures.push(`the log does not explain: ${[...new Set(refused)].join(' ')}`);
        if (recoveryMs > NORMAL_WITHIN_MS) failures.push(`an order took ${Math.round(recoveryMs)} ms.`);
        if (watched.ready < watched.asked) failures.push(`/readyz said ${watched.reasons}.`);
        if (childrenOf(server).join() !== processes) failures.push('a process was replaced.');
        if (child.exitCode !== null || child.signalCode !== null) failures.push('the server ended.');
        return { recoveryMs, failures };
      },
      finish: (result) => void result.notes.push(...notes),
    };
  },
});
