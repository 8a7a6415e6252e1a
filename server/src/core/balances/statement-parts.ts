// Parts of statements that move money. Each is part of the one statement that also records what it is for.

interface EntryColumn {
  /** What the entry refers to, such as `gift_id`. */
  refersTo: string;
  /** Query of the columns in this order. */
  source: string;
}

/** Insert of entries of the ledger. */
export const insertEntries = ({ refersTo, source }: EntryColumn) =>
  `insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, ${refersTo},
      created_at)
    ${source}`;

/** Update that sets locked balances `b` to those after their latest entries. @param latest query of these @param owner their organization */
export const setBalances = (latest: string) =>
  `update balances b set balance_cents = last.balance_after_cents, last_id = last.entry_id
    from (
      ${latest}
    ) last
    where b.organization_id = last.organization_id and b.environment = last.environment`;

/** Update that adds to the balance of `$1` and `$2` and returns the one before. @param sum query of `cents` and `last_id`; without a row nothing is added */
export const addToBalance = (sum: string) =>
  `update balances b set balance_cents = b.balance_cents + r.cents, last_id = r.last_id
     from (
       ${sum}
     ) r
     where b.organization_id = $1 and b.environment = $2
     returning b.balance_cents - r.cents as before_cents`;
