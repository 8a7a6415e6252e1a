import type { Client } from 'pg';
import { type Invariant, MAX_SHOWN, type Violation } from './violation.ts';

/** Runs a statement that describes each violation in its column `text`. */
export async function selectFaulty(
  sql: Client,
  invariant: Invariant,
  statement: string,
  values: unknown[] = [],
): Promise<Violation[]> {
  const { rows } = await sql.query<{ text: string }>(`${statement} limit ${MAX_SHOWN}`, values);
  return rows.map(({ text }) => ({ invariant, text }));
}

/** Returns the first violations and the number of the others. */
export function violationsOf(invariant: Invariant, texts: readonly string[]): Violation[] {
  const shown = texts.slice(0, MAX_SHOWN).map((text) => ({ invariant, text }));
  const rest = texts.length - shown.length;
  return rest === 0 ? shown : [...shown, { invariant, text: `${rest} more of the same.` }];
}
