import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorSeconds } from '../../../bench/processor.ts';
import { isOf, isOk } from '../../checker/read-record.ts';
import { monotonicNowMs } from '../../record/recorder.ts';
import { failuresOfProbe, loadFault } from '../load-fault.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { orderTimes, refusals, timesText } from '../watch-server.ts';

const DESCRIPTORS = 256;
/** Each holds a connection, and comes back a second after it was refused. */
const CROWD = 400;
const COMES_BACK_MS = 1_000;
const BEFORE_MS = 5_000;
const HELD_MS = 20_000;
const BACK_WITHIN_MS = 5_000;
/** Of a core, besides what the load takes. */
const MOST_MORE_PROCESSOR = 0.3;
/** What the log says once a minute. */
const SAYS = 'New connections were refused';

export const fewDescriptors = loadFault({
  name: 'few-descriptors',
  summary:
    'The server may open 256 files and 400 clients hold connections: it refuses the rest, says so, goes on for the others, also when PostgreSQL ends its sessions, and is as before when they leave.',
  fullCount: 5,
  shortCount: 1,
  async start(installation, { random }) {
    const limit = `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`;
    const server = await installation.startServer({
      through: ['prlimit', limit],
      variables: { LOG_LEVEL: 'warn' },
    });
    const { url, child, port } = server;
    const { recorder, sql } = installation;
    const lasting = installation.organizations.filter(({ resets }) => !resets);
    const notes: string[] = [];
    const share = async (forMs: number) => {
      const [before, beganAtMs] = [processorSeconds(child.pid ?? 0), performance.now()];
      await sleep(forMs);
      return (processorSeconds(child.pid ?? 0) - before) / ((performance.now() - beganAtMs) / 1_000);
    };
    return {
      load: { urls: [url] },
      url: () => url,
      async inject() {
        const quiet = await share(BEFORE_MS);
        const calls = recorder.calls.length;
        const crowd = holdConnections(port);
        const first = await share(HELD_MS / 2);
        const endedAtMs = monotonicNowMs();
        recorder.crash();
        const untilThen = recorder.calls.length;
        await sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'bestow%'`);
        const busy = Math.max(first, await share(HELD_MS / 2));
        const { held, refused } = crowd.leave();
        const leftAtMs = performance.now();
        const organization = pick(random, lasting);
        const { outcome, knownAtMs } = await probeOrder(installation, { urls: [url], organization, random });
        const recoveryMs = knownAtMs - leftAtMs;
        const orders = orderTimes(recorder, calls);
        const unanswered = [...Map.groupBy(refusals(recorder, untilThen), (text) => text)];
        notes.push(unanswered.map(([text, { length }]) => `${length} times: ${text}`).join(' '));
        const afterwards = recorder.calls.filter(
          (call) => isOf(call, 'placeOrder') && isOk(call) && call.startedAtMs > endedAtMs + BACK_WITHIN_MS,
        );
        notes.push(
          `${held} connections held, ${refused} refused; ${timesText('orders', orders)}, ${afterwards.length} of them after the sessions ended; processor ${quiet.toFixed(2)} and ${busy.toFixed(2)}`,
        );
        const failures = failuresOfProbe(outcome);
        if (refused === 0) failures.push('no connection was refused.');
        if (!server.stdout().includes(SAYS)) failures.push('the log does not say so.');
        if (busy > quiet + MOST_MORE_PROCESSOR) failures.push(`it took ${busy.toFixed(2)} of a core.`);
        if (afterwards.length === 0) failures.push('no client placed an order after its sessions had ended.');
        if (recoveryMs > BACK_WITHIN_MS) failures.push(`an order took ${Math.round(recoveryMs)} ms afterwards.`);
        if (child.exitCode !== null || child.signalCode !== null) failures.push('the server ended.');
        return { recoveryMs, failures };
      },
      finish: (result) => void result.notes.push(...notes),
    };
  },
});

/** Opens connections, each with one request, and holds them; one that is refused is opened again. */
function holdConnections(port: number) {
  const sockets = new Set<Socket>();
  const answered = new Set<Socket>();
  let refused = 0;
  let isOver = false;
  const open = () => {
    if (isOver) return;
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.on('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    socket.on('data', () => answered.add(socket));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (isOver) return;
      if (!answered.delete(socket)) refused += 1;
      setTimeout(open, COMES_BACK_MS).unref();
    });
  };
  for (let client = 0; client < CROWD; client += 1) open();
  return {
    /** Closes all. @returns how many were answered, and how many refusals there were */
    leave() {
      isOver = true;
      const held = answered.size;
      for (const socket of sockets) socket.destroy();
      return { held, refused };
    },
  };
}
