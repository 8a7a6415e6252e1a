// Replaces pgbench if it is not installed: `node driver.ts JSON` repeats one prepared statement on each connection and
// prints one line of JSON.
import { Client, type ClientConfig } from 'pg';
import { quantile } from '../statistics.ts';

interface Input {
  target: ClientConfig;
  connections: number;
  seconds: number;
  firstTarget: number;
  columns: string[];
  text: string;
}

const { target, connections, seconds, firstTarget, columns, text } = JSON.parse(process.argv[2] ?? '') as Input;
const latenciesMs: number[] = [];

const clients = await Promise.all(
  Array.from({ length: connections }, async (_, n) => {
    const client = new Client(target);
    await client.connect();
    const { rows } = await client.query(`select ${columns.join(', ')} from bench.targets where n = $1`, [
      firstTarget + n,
    ]);
    return { client, values: columns.map((column) => rows[0][column]) };
  }),
);
const startedAtMs = performance.now();
await Promise.all(
  clients.map(async ({ client, values }) => {
    const query = { name: 'work', text, values };
    for (let sentAtMs = performance.now(); sentAtMs - startedAtMs < seconds * 1000; sentAtMs = performance.now()) {
      await client.query(query);
      latenciesMs.push(performance.now() - sentAtMs);
    }
  }),
);
const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
for (const { client } of clients) await client.end();
const p50Ms = quantile(Float64Array.from(latenciesMs).sort(), 0.5);
process.stdout.write(`${JSON.stringify({ perSecond: latenciesMs.length / elapsedSeconds, p50Ms })}\n`);
