import { orderInOneStatement, orderInTransaction, readGift, readOrder, readPage } from './statements.ts';

/** What a ceiling is measured of: the same rows as the service writes or reads. */
export type Work = 'order' | 'order of ten' | 'replay' | 'gift' | 'page';

/** The columns of `bench.targets` that a client keeps, in the order of a prepared statement's parameters. */
const columns = {
  order: ['organization_id', 'key_id', 'member_id'],
  'order of ten': ['organization_id', 'key_id', 'member_id'],
  replay: ['organization_id', 'idempotency_key'],
  gift: ['organization_id', 'gift_id'],
  page: ['organization_id'],
} as const satisfies Record<Work, readonly string[]>;

export const columnsOf = (work: Work): readonly string[] => columns[work];

/** Where in `bench.targets` its clients begin: gifts and pages are read of organizations with a thousand gifts. */
export const firstTargetOf = (work: Work) => (work === 'gift' || work === 'page' ? 1000 : 0);

/** @param place how the driver names its n-th value */
export function textOfWork(work: Work, place: (n: number) => string, inTransaction = false): string {
  const names = { organizationId: place(0), keyId: place(1), memberId: place(2) };
  const order = inTransaction ? orderInTransaction : orderInOneStatement;
  switch (work) {
    case 'order':
      return order(names, 2);
    case 'order of ten':
      return order(names, 10);
    case 'replay':
      return readOrder(place(0), `${place(1)}::text`);
    case 'gift':
      return readGift(place(0), place(1));
    case 'page':
      return readPage(place(0));
  }
}
