import { leanOrder } from './lean-order.ts';
import { order, readGift, readOrder, readPage } from './statements.ts';

/** The task of a ceiling: the rows that the service writes or reads, or the fewest that an order can be. */
export type Work = 'order' | 'lean order' | 'order of ten' | 'replay' | 'gift' | 'page';

/** Columns of `bench.targets`, in the order of a prepared statement's parameters. */
const columns = {
  order: ['organization_id', 'key_id', 'member_id'],
  'lean order': ['organization_id'],
  'order of ten': ['organization_id', 'key_id', 'member_id'],
  replay: ['organization_id', 'idempotency_key'],
  gift: ['organization_id', 'gift_id'],
  page: ['organization_id'],
} as const satisfies Record<Work, readonly string[]>;

export const columnsOf = (work: Work): readonly string[] => columns[work];

/** First row of `bench.targets` for its clients: reads use organizations with a thousand gifts. */
export const firstTargetOf = (work: Work) => (work === 'gift' || work === 'page' ? 1000 : 0);

/** @param placeholder how the driver names its n-th value */
export function textOfWork(work: Work, placeholder: (n: number) => string): string {
  const names = { organizationId: placeholder(0), keyId: placeholder(1), memberId: placeholder(2) };
  switch (work) {
    case 'order':
      return order(names, 2);
    case 'lean order':
      return leanOrder(placeholder(0), 2);
    case 'order of ten':
      return order(names, 10);
    case 'replay':
      return readOrder(placeholder(0), `${placeholder(1)}::text`);
    case 'gift':
      return readGift(placeholder(0), placeholder(1));
    case 'page':
      return readPage(placeholder(0));
  }
}
