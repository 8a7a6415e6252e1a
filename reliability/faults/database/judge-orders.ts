import type { Installation } from '../../../bench/installation.ts';
import type { FloodResult } from './flood.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** What was acknowledged is there, and no more than that and what had no answer; money adds up. */
export async function judgeOrders(installation: Installation, floods: readonly FloodResult[]): Promise<string[]> {
  const { rows } = await installation.sql.query<{ count: number }>('select count(*)::integer as count from orders');
  const there = rows[0]?.count ?? 0;
  const placed = sum(floods.map(({ came }) => came['201'] ?? 0));
  const unknown = sum(
    floods.map(({ came }) => sum(Object.entries(came).map(([name, times]) => (/^\d/.test(name) ? 0 : times)))),
  );
  return [
    ...(there < placed || there > placed + unknown
      ? [`${placed} orders were acknowledged, ${unknown} had no answer, ${there} are there.`]
      : []),
    ...((await installation.invariantsHold()) ? [] : ['The invariants do not hold.']),
  ];
}
