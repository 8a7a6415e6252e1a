import { readFileSync } from 'node:fs';
import { RECORDED, type RecordedRun } from '../../../bench/record.ts';

const run: RecordedRun = JSON.parse(readFileSync(RECORDED, 'utf8'));

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const dateOf = (iso: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(iso),
  );

const rowOf = (name: string) => {
  const row = run.rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`The recorded run has no row ${name}; run: npm run bench -- --record`);
  return row;
};
const ratioOf = (name: string) => rowOf(name).checks[0]?.value.toFixed(2);
const figureOf = ({ measures }: RecordedRun['rows'][number], value: number) =>
  measures === 'rate' ? `${whole(value)}/s` : `${value.toFixed(2)} ms`;

const where = () => {
  const { processor, cores, memoryGb, node } = run.machine;
  return `Measured on ${dateOf(run.date)} at commit ${run.commit}, on ${cores} cores (${processor}, ${memoryGb} GB, Node ${node.slice(1)}), load generator included`;
};

/** The speed in README.md. */
const speed = () =>
  [
    `${where()} ([performance](docs/performance.md)):`,
    `${whole(rowOf('orders').service)} orders a second at 128 connections, ${ratioOf('orders')} times what PostgreSQL commits one by one in the same run;`,
    `${whole(rowOf('gift').service)} reads of a gift a second; ${rowOf('alone').service.toFixed(1)} ms for a single order.` +
      (run.resources === undefined ? '' : ` The server uses at most ${whole(run.resources.underLoad.nodeMb)} MB.`),
  ].join('\n');

/** The table of docs/performance.md. */
const table = () => {
  const lines = run.rows.flatMap((row) =>
    row.checks.map(({ name, reference, value, goal, isMost, isMet }, index) => {
      const beside = reference === undefined ? '' : figureOf(row, reference);
      const ratio = reference === undefined ? whole(value) : value.toFixed(2);
      const cells = [
        ...(index === 0
          ? [row.work, `${row.connections}`, figureOf(row, row.service), row.p99Ms.toFixed(1)]
          : ['', '', '', '']),
        `${name} ${beside}`.trim(),
        ratio,
        goal === undefined ? '' : `${isMost ? '≤' : '≥'} ${goal}, ${isMet ? 'met' : 'not met'}`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  return [
    `${where()}. Medians of ${run.repeats} runs of ${run.seconds} seconds.`,
    '',
    '| Work | Connections | Bestow | p99, ms | Beside | Ratio | Goal |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
};

/** What the recorded run says besides its table. */
const costs = () => {
  const { openLoop, resources, start } = run;
  const parts: string[] = [];
  if (openLoop !== undefined)
    parts.push(
      `At half the rate that saturates the service (${whole(openLoop.perSecond)} orders a second by the clock) an order takes ${openLoop.p50Ms.toFixed(1)} ms, and ${openLoop.p99Ms.toFixed(1)} ms at p99 (goal 20, ${openLoop.isMet ? 'met' : 'not met'}); the p99 of a route that does nothing is ${openLoop.bareP99Ms.toFixed(1)} ms on the same schedule.`,
    );
  if (resources !== undefined)
    parts.push(
      `An order costs Node ${whole(resources.nodeMicroseconds)} µs and PostgreSQL ${whole(resources.postgresMicroseconds)} µs of processor time, and writes ${whole(resources.walBytes)} bytes of WAL. The server uses ${whole(resources.atRest.nodeMb)} MB before the load and at most ${whole(resources.underLoad.nodeMb)} MB under it.`,
    );
  if (start !== undefined)
    parts.push(
      `From \`npm start\` to the first answer it takes ${(start.laterMs / 1_000).toFixed(1)} s, and ${(start.firstMs / 1_000).toFixed(1)} s on the very first start.`,
    );
  return parts.join(' ');
};

const parts: Record<string, () => string> = { speed, table, costs };

/** Fills in the figures of the recorded run, between marks such as `<!-- recorded speed -->`. */
export const fillFigures = (markdown: string): string =>
  markdown.replace(
    /<!-- recorded (\w+) -->\n[\s\S]*?<!-- \/recorded -->/g,
    (_, name: string) => `<!-- recorded ${name} -->\n${parts[name]?.()}\n<!-- /recorded -->`,
  );
