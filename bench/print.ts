import { isBusy, type Machine } from './machine.ts';
import type { MeasuredRow } from './measure-rows.ts';
import type { Memory, Resources } from './resources.ts';
import type { Spread } from './statistics.ts';

export const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Formats a Markdown table with aligned columns. */
export function table(heading: string[], lines: string[][]): string {
  const all = [heading, ...lines];
  const widths = heading.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  const write = (line: string[]) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [write(heading), write(widths.map((width) => '-'.repeat(width))), ...lines.map(write)].join('\n');
}

const spread = ({ median, least, most }: Spread, digits: number) =>
  `${number(median, digits)} (${number(least, digits)}–${number(most, digits)})`;

/** A row has a line for each check; only the first names the row. */
export function tableOfRows(measured: readonly MeasuredRow[]): string {
  const lines = measured.flatMap(({ row, service, p99Ms, checks, conflicts, failed }) => {
    const figure = (of: Spread) => (row.measures === 'rate' ? `${spread(of, 0)} /s` : `${spread(of, 2)} ms`);
    const first = [
      row.work,
      `${row.connections}`,
      figure(service),
      number(p99Ms.median, 1),
      `${conflicts}`,
      `${failed}`,
    ];
    return checks.map(({ name, reference, value, goal, isMost, isMet }, index) => [
      ...(index === 0 ? first : first.map(() => '')),
      name,
      reference === undefined ? '' : figure(reference),
      number(value, reference === undefined ? 1 : 2),
      goal === undefined ? '' : `${isMost ? '≤' : '≥'} ${goal}, ${isMet ? 'met' : 'not met'}`,
    ]);
  });
  const heading = [
    'Work',
    'Connections',
    'Bestow',
    'p99, ms',
    '409',
    'Errors',
    'Beside',
    'Its figure',
    'Ratio',
    'Goal',
  ];
  return table(heading, lines);
}

export function describe(machine: Machine): string {
  const { processor, cores, memoryGb, system, node, driver, loadBefore } = machine;
  const warning = isBusy(machine)
    ? `\nThe machine was busy before it began (load ${number(loadBefore, 1)}): these figures are worth nothing.`
    : '';
  return `${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}; ceilings by ${driver}.${warning}`;
}

const memory = ({ nodeMb, postgresMb }: Memory) => `Node ${number(nodeMb)} MB, PostgreSQL ${number(postgresMb)} MB`;

export function describeResources(resources: Resources): string {
  const { nodeMicroseconds, postgresMicroseconds, commits, writingCommits, walBytes } = resources;
  return [
    `Processor time per order: Node ${number(nodeMicroseconds)} µs, PostgreSQL ${number(postgresMicroseconds)} µs.`,
    `Per order: ${number(commits, 3)} commits, of which ${number(writingCommits, 3)} wrote; ${number(walBytes)} bytes of WAL.`,
    `Memory at rest: ${memory(resources.atRest)}.`,
    `Memory under load, at most: ${memory(resources.underLoad)}.`,
    `Memory after it: ${memory(resources.afterwards)}.`,
  ].join('\n');
}
