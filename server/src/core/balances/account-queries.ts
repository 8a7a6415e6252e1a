import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { type Account, counterAccounts } from './accounts.ts';
import { bookCheck, wholeCheck } from './book-check-queries.ts';

/** SQL conditions on `ledger_entries e`, `ledger_legs l`, `gifts g`, `card_purchases p`, `card_facts f` and `topup_costs t`: which movements count. */
interface Counted {
  entries: string;
  legs: string;
  claims: string;
  purchases: string;
  /** Which purchases are taken off what gifts spent. */
  bought: string;
  facts: string;
  costs: string;
}

const ALL: Counted = {
  entries: 'true',
  legs: 'true',
  claims: 'true',
  purchases: 'true',
  bought: 'true',
  facts: 'true',
  costs: 'true',
};

const counterAccount = `case e.kind ${Object.entries(counterAccounts)
  .filter(([, account]) => account !== null)
  .map(([kind, account]) => `when '${kind}' then '${account}'`)
  .join(' ')} end`;

/** SQL query: the sum of `cents` in each book, moved from one account to another. */
const move = (rows: string, from: Account, to: Account) =>
  `select sums.organization_id, sums.environment, side.account, side.sign * sums.cents as amount_cents
   from (
     select moved.organization_id, moved.environment, sum(moved.cents) as cents from (${rows}) moved
     group by moved.organization_id, moved.environment
   ) sums cross join (values ('${from}', -1), ('${to}', 1)) side (account, sign)`;

/**
 * SQL query: the movements of every book as `organization_id`, `environment`, `account`, `amount_cents`. An order is one row
 * of the ledger; the other side follows from its kind, and claims and purchases from their own rows. What is many rows is
 * summed before it is joined with its accounts: the sums of 500,000 gifts take two thirds of the time.
 */
const selectMovements = (counted: Counted = ALL) =>
  `select e.organization_id, e.environment, 'available' as account, sum(e.amount_cents) as amount_cents
   from ledger_entries e where ${counted.entries}
   group by e.organization_id, e.environment
   union all
   select e.organization_id, e.environment, ${counterAccount}, -sum(e.amount_cents)
   from ledger_entries e where ${counted.entries} and not exists (
     select from ledger_legs l
     where l.organization_id = e.organization_id and l.environment = e.environment and l.entry_id = e.entry_id
   )
   group by e.organization_id, e.environment, e.kind
   union all
   select l.organization_id, l.environment, l.account, l.amount_cents from ledger_legs l where ${counted.legs}
   union all
   ${move(
     `select g.organization_id, g.environment, g.amount_cents as cents from gifts g
     where g.claimed_at is not null and ${counted.claims}`,
     'gifts_outstanding',
     'gifts_on_cards',
   )}
   union all
   ${move(
     `select p.organization_id, p.environment, p.amount_cents as cents from card_purchases p where ${counted.purchases}`,
     'gifts_on_cards',
     'spent',
   )}
   union all
   ${move(
     `-- Steering spends without a purchase.
     select g.organization_id, g.environment, g.spent_cents - coalesce(bought.cents, 0) as cents
     from gifts g
     left join (
       select p.organization_id, p.environment, p.gift_id, sum(p.amount_cents) as cents
       from card_purchases p where p.environment = 'sandbox' and ${counted.bought}
       group by p.organization_id, p.environment, p.gift_id
     ) bought using (organization_id, environment, gift_id)
     where g.environment = 'sandbox' and g.spent_cents > coalesce(bought.cents, 0) and ${counted.claims}`,
     'gifts_on_cards',
     'spent',
   )}
   union all
   select n.organization_id, n.environment, side.account, side.amount_cents
   from (${netSpending(counted.facts)}) n cross join lateral (values
     ('gifts_on_cards', -least(n.value_cents, n.net_cents)),
     ('issuer_overspend', least(n.value_cents, n.net_cents) - n.net_cents),
     ('spent', n.net_cents)
   ) side (account, amount_cents)
   union all
   select f.organization_id, f.environment, side.account,
     side.sign * case f.kind when 'cost' then f.amount_cents else -f.amount_cents end
   from card_facts f cross join (values ('fees', -1), ('issuer_clearing', 1)) side (account, sign)
   where f.kind in ('cost', 'cost_returned') and ${counted.facts}
   union all
   select t.organization_id, 'live'::environment, side.account, side.sign * t.fee_cents
   from topup_costs t cross join (values ('fees', -1), ('payment_clearing', 1)) side (account, sign)
   where ${counted.costs}`;

/** SQL query: what is known of each gift's card from its issuer, captured less refunded. A dispute that was won is a refund. */
const netSpending = (counted: string) =>
  `select g.organization_id, g.environment, g.amount_cents as value_cents, greatest(0, sum(told.cents)) as net_cents
   from (
     select f.organization_id, f.environment, f.gift_id, case f.kind when 'captured' then f.amount_cents else -f.amount_cents end as cents
     from card_facts f where f.kind in ('captured', 'refunded') and ${counted}
     union all
     select organization_id, environment, gift_id, -amount_cents
     from (
       select distinct on (f.organization_id, f.environment, f.gift_id, f.subject_id) f.*
       from card_facts f where f.kind = 'disputed' and ${counted}
       order by f.organization_id, f.environment, f.gift_id, f.subject_id, f.at desc, f.fact_id desc
     ) dispute
     where outcome = 'won'
   ) told join gifts g using (organization_id, environment, gift_id)
   group by g.organization_id, g.environment, g.gift_id, g.amount_cents`;

const total = 'count(*) over () as total';

export const insertLegs = statement<
  [
    organizationId: string,
    environment: Environment,
    entryId: string,
    accounts: readonly string[],
    amountsCents: readonly number[],
  ]
>(
  'ledger_legs.insert',
  `insert into ledger_legs (organization_id, environment, entry_id, account, amount_cents)
   select $1, $2, $3, account, amount_cents from unnest($4::text[], $5::bigint[]) as leg (account, amount_cents)`,
);

/** Finds entries whose legs and amount are not zero together. */
export const unbalancedEntries = bookCheck(
  'ledger.select_unbalanced_entries',
  `select l.organization_id, l.environment, l.entry_id as subject_id, (-e.amount_cents)::text as expected,
     sum(l.amount_cents)::text as found, ${total}
   from ledger_legs l
   left join ledger_entries e
     on e.organization_id = l.organization_id and e.environment = l.environment and e.entry_id = l.entry_id
   group by l.organization_id, l.environment, l.entry_id, e.amount_cents
   having sum(l.amount_cents) is distinct from -e.amount_cents
   order by l.organization_id, l.environment, l.entry_id limit $1`,
);

/** Finds books whose accounts are not zero together, and books whose movements name no account. */
export const unbalancedBooks = wholeCheck(
  'ledger.select_unbalanced_books',
  `select organization_id, environment, null::uuid as subject_id, '0' as expected,
     case when bool_or(account is null) then 'a kind without legs' else sum(amount_cents)::text end as found, ${total}
   from (${selectMovements()}) movement
   group by organization_id, environment
   having sum(amount_cents) <> 0 or bool_or(account is null)
   order by organization_id, environment limit $1`,
);

/** Compares an account of every book with the sum that its gifts have. */
const compareWithGifts = (name: string, account: Account, gifts: string) =>
  wholeCheck(
    name,
    `select organization_id, environment, null::uuid as subject_id, coalesce(g.cents, 0)::text as expected,
     coalesce(a.cents, 0)::text as found, ${total}
   from (
     select organization_id, environment, sum(amount_cents) as cents from (${selectMovements()}) movement
     where account = '${account}' group by organization_id, environment
   ) a
   full join (
     select organization_id, environment, sum(cents) as cents from (${gifts}) gift group by organization_id, environment
   ) g using (organization_id, environment)
   where coalesce(g.cents, 0) <> coalesce(a.cents, 0)
   order by organization_id, environment limit $1`,
  );

/** Gifts that a processing order has yet to create count too. */
export const wrongOutstanding = compareWithGifts(
  'ledger.select_wrong_outstanding',
  'gifts_outstanding',
  `select organization_id, environment, amount_cents as cents from gifts where claimed_at is null and canceled_at is null
   union all
   select o.organization_id, o.environment, p.amount_cents
   from orders o cross join lateral jsonb_to_recordset(o.pending_gifts) as p (amount_cents integer)`,
);

export const wrongOnCards = compareWithGifts(
  'ledger.select_wrong_on_cards',
  'gifts_on_cards',
  'select organization_id, environment, amount_cents - spent_cents as cents from gifts where claimed_at is not null',
);

/** Finds books whose receivable is not what their balance owes. */
export const wrongReceivable = wholeCheck(
  'ledger.select_wrong_receivable',
  `select organization_id, environment, null::uuid as subject_id, (-coalesce(b.owed_cents, 0))::text as expected,
     coalesce(l.cents, 0)::text as found, ${total}
   from (
     select organization_id, environment, sum(amount_cents) as cents from ledger_legs where account = 'receivable'
     group by organization_id, environment
   ) l
   full join (select organization_id, environment, owed_cents from balances where owed_cents > 0) b
     using (organization_id, environment)
   where coalesce(l.cents, 0) <> -coalesce(b.owed_cents, 0)
   order by organization_id, environment limit $1`,
);

export interface AccountRow {
  environment: Environment;
  account: Account;
  cents: number;
}

const summed = (movements: string) =>
  `select environment, account, sum(amount_cents)::bigint as cents from (${movements}) movement
   group by environment, account order by environment, account`;

/** Sums all organizations. */
export const selectTrialBalance = statementOnEachShard<[belowId: string, before: Date], AccountRow>(
  'ledger.sum_accounts',
  'the operator looks at all books together',
  summed(
    selectMovements({
      entries: 'e.entry_id < $1',
      legs: 'l.entry_id < $1',
      claims: 'g.claimed_at < $2',
      purchases: 'p.created_at < $2',
      bought: 'true',
      facts: 'f.at < $2',
      costs: 't.created_at < $2',
    }),
  ),
);

export const selectTrialBalanceOf = statement<[organizationId: string, belowId: string, before: Date], AccountRow>(
  'ledger.sum_accounts_of',
  summed(
    selectMovements({
      entries: 'e.organization_id = $1 and e.entry_id < $2',
      legs: 'l.organization_id = $1 and l.entry_id < $2',
      claims: 'g.organization_id = $1 and g.claimed_at < $3',
      purchases: 'p.organization_id = $1 and p.created_at < $3',
      bought: 'p.organization_id = $1',
      facts: 'f.organization_id = $1 and f.at < $3',
      costs: 't.organization_id = $1 and t.created_at < $3',
    }),
  ),
);
