import { readFileSync } from 'node:fs';
import type { Step } from './steps.ts';

/** One call, what happens to its attempts, and what must result. */
export interface Row {
  name: string;
  call?: 'read' | 'claim' | 'order_abort';
  options?: object;
  to?: string;
  abort_after_ms?: number;
  /** The last one repeats. */
  steps?: Step[];
  address?: string;
  result: string;
  attempts?: number;
  orders?: number;
  code?: string;
  status?: number;
  is_replay?: boolean;
  outcome_unknown?: boolean;
  first_pause_ms?: number;
  /** What differs, by the beginning of a client's name. */
  in?: Record<string, Partial<Row> & { because: string }>;
}
/** What the rows of a group share. */
interface Group extends Omit<Row, 'name'> {
  about: string;
  rows: ({ first?: Step } & Row)[];
}

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

export const { wire, addresses } = read('faults.json') as Record<'wire' | 'addresses', Row[]>;

const { groups } = read('below-http.json') as { groups: Group[] };
/** Answers that are wrong below HTTP or inside. */
export const belowHttp: Row[] = groups.flatMap(({ about: _, rows, ...expected }) =>
  rows.map(({ first, steps = first && [first, 'forward'], ...row }) => ({
    ...expected,
    ...row,
    ...(steps && { steps }),
    in: { ...expected.in, ...row.in },
  })),
);

/** The row as it is for one client. */
export function rowFor(row: Row, client: string): Row {
  const differing = Object.entries(row.in ?? {}).filter(([name]) => client.startsWith(name));
  return Object.assign({}, row, ...differing.map(([, difference]) => difference));
}
