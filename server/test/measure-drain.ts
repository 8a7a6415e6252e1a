// `node server/test/measure-drain.ts [gifts]`: how fast a worker of its own sends pending emails to a local SMTP server, and
// how much memory it takes (issue 3: 300 a second or more, below 250 MB). Everything runs on this machine and is removed.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, installDrain, residentMb, stop } from './harness/drain.ts';

const gifts = Number(process.argv[2] ?? 20_000);

const drain = await installDrain();
try {
  await drain.orderEmails(gifts);
  const startedAtMs = performance.now();
  const worker = drain.startWorker();
  let mostMb = 0;
  for (let pending = gifts; pending > 0; ) {
    await sleep(500);
    if (worker.exitCode !== null) throw new Error(`The worker ended with ${worker.exitCode}.`);
    mostMb = Math.max(mostMb, residentMb(worker.pid));
    pending = await drain.countPending();
    const elapsedSeconds = Math.round((performance.now() - startedAtMs) / 1000);
    process.stdout.write(`${elapsedSeconds} s: ${pending} pending, ${Math.round(residentMb(worker.pid))} MB\n`);
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const processorSeconds = cpuSeconds(worker.pid);
  await stop(worker);
  process.stdout.write(
    `${gifts} messages in ${seconds.toFixed(1)} s, start of the process included: ${Math.round(gifts / seconds)} a second; ` +
      `${drain.received()} received; at most ${Math.round(mostMb)} MB; ${processorSeconds.toFixed(1)} s of processor\n`,
  );
} finally {
  await drain.close();
}
