import type { Client } from 'pg';
import { type Invariant, MAX_TOLD, type Violation } from './violation.ts';

/** A statement that finds what breaks an invariant: rows of one column `text`, a sentence each. */
export async function selectFaulty(
  sql: Client,
  invariant: Invariant,
  statement: string,
  values: unknown[] = [],
): Promise<Violation[]> {
  const { rows } = await sql.query<{ text: string }>(`${statement} limit ${MAX_TOLD}`, values);
  return rows.map(({ text }) => ({ invariant, text }));
}

/** The first of them, and how many more there are. */
export function told(invariant: Invariant, texts: readonly string[]): Violation[] {
  const shown = texts.slice(0, MAX_TOLD).map((text) => ({ invariant, text }));
  const rest = texts.length - shown.length;
  return rest === 0 ? shown : [...shown, { invariant, text: `${rest} more of the same.` }];
}
