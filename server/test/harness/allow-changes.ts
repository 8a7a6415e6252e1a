type Sql = (text: string) => Promise<unknown>;

/** Disables the triggers that refuse changes, as the tables' owner can. Foreign keys go on working. */
export async function allowChanges(
  sql: Sql,
  tables = ['ledger_entries', 'orders', 'gifts', 'balances'],
): Promise<void> {
  for (const table of tables) await sql(`alter table ${table} disable trigger user`);
}
