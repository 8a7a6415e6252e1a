// Parts of statements that count what caps limit.

/** What was spent in the window, with what is added. */
export const spentInWindow = `excluded.spent_cents
        + case when spending.window_started_at >= excluded.window_started_at then spending.spent_cents else 0 end`;

/** Upsert that adds to counters; a new window begins with what is added. @param source values or query of the columns in this order */
export const addSpending = (source: string) =>
  `insert into spending (organization_id, environment, holder, period, window_started_at, spent_cents)
    ${source}
    on conflict (organization_id, environment, holder, period) do update set
      window_started_at = greatest(spending.window_started_at, excluded.window_started_at),
      spent_cents = ${spentInWindow}`;
