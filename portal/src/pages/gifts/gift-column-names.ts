/** In the order of the table. */
export const columnNames = {
  status: 'Status',
  category: 'Category',
  method: 'Method',
  sender: 'Sender',
  reference: 'External ID',
  created: 'Ordered',
  opened: 'Opened',
  claimed: 'Claimed',
  amount: 'Amount',
} as const;

export type ColumnName = keyof typeof columnNames;
export const usualColumns: readonly ColumnName[] = ['status', 'category', 'method', 'created', 'amount'];

/** Of a URL or the storage; undefined without a known name. */
export function readColumns(text: string | null | undefined): ColumnName[] | undefined {
  const asked = text?.split(',') ?? [];
  const names = (Object.keys(columnNames) as ColumnName[]).filter((name) => asked.includes(name));
  return names.length === 0 ? undefined : names;
}
