import { readDayOrTime } from 'bestow-readers/time.ts';
import { type Account, accounts } from '../../core/balances/accounts.ts';
import { readTrialBalance } from '../../core/balances/trial-balance.ts';
import type { Deps } from '../../core/deps.ts';
import { listFunding } from '../../core/issuer/list-funding.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import { findBankBalance } from './bank-balance.ts';

type MoneyDeps = Pick<Deps, 'clock' | 'database'>;

/**
 * Reads the money of all organizations as it was at the end of a day, in cents: what live balances hold, what is owed, unclaimed
 * and left on cards, and every account; beside the bank's balance as it was entered, and what issuers hold now.
 *
 * @param day such as `2026-11-30`; now without it
 * @throws BestowError `parameter_invalid` for no day, or one to come
 */
export async function readMoney(deps: MoneyDeps, day: string | undefined) {
  const at = day === undefined ? new Date(deps.clock.now()) : endOf(deps, day);
  const [{ environments }, issuers, bank] = await Promise.all([
    readTrialBalance(deps, { at }),
    listFunding(deps),
    findBankBalance(deps, day ?? at.toISOString().slice(0, 10)),
  ]);
  const live = environments.find(({ environment }) => environment === 'live');
  const of = (account: Account) => live?.accounts[account] ?? 0;
  return {
    at,
    live: {
      balances: of('available'),
      owed: -of('receivable'),
      unclaimed: of('gifts_outstanding'),
      on_cards: of('gifts_on_cards'),
    },
    trial_balance: environments.map(({ environment, sum, accounts: amounts }) => ({
      environment,
      accounts: (Object.keys(accounts) as Account[]).map((account) => ({
        account,
        meaning: accounts[account],
        amount: amounts[account],
      })),
      sum,
    })),
    issuers,
    bank: bank ?? null,
  };
}

/** The columns of the rows. */
export const moneyColumns = [
  { key: 'at', header: 'Time (UTC)' },
  { key: 'environment', header: 'Environment' },
  { key: 'account', header: 'Account' },
  { key: 'amount', header: 'Amount', isMoney: true },
] as const;

/** A row for each account, for a file. */
export async function* moneyRows(at: Date, balances: Awaited<ReturnType<typeof readMoney>>['trial_balance']) {
  for (const { environment, accounts: lines } of balances)
    for (const { account, amount } of lines) yield { at, environment, account, amount };
}

/** The end of a day, or now if it has not ended. @throws BestowError `parameter_invalid` for no day, or one to come */
export function endOf({ clock }: Pick<MoneyDeps, 'clock'>, day: string): Date {
  const start = readDayOrTime(day);
  if (start === undefined || start.getTime() > clock.now())
    throw new BestowError('parameter_invalid', { param: 'day', message: 'It must be a day that has begun.' });
  return new Date(Math.min(start.getTime() + DAY_MS, clock.now()));
}
