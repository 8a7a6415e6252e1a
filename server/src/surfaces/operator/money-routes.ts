import { Type } from 'typebox';
import { enterBankBalance } from '../../capabilities/reports/bank-balance.ts';
import { endOf, moneyColumns, moneyRows, readMoney } from '../../capabilities/reports/read-money.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { Environment, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { csvReply } from '../../platform/http/csv-reply.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const Day = Type.String({ maxLength: 10, pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'In UTC; its end counts.' });

const SignedCents = Type.Integer({ description: 'Signed cents.' });

const Money = Type.Object(
  {
    at: Type.Unsafe<Date>({ ...Time, description: 'The books as they were then.' }),
    live: Type.Object({
      balances: Type.Integer({ description: 'Cents that organizations can spend.' }),
      owed: Type.Integer({ description: 'Cents that organizations owe.' }),
      unclaimed: Type.Integer({ description: 'Cents of gifts that no one has claimed.' }),
      on_cards: Type.Integer({ description: 'Cents left on cards of claimed gifts.' }),
    }),
    trial_balance: Type.Array(
      Type.Object({
        environment: Environment,
        accounts: Type.Array(Type.Object({ account: Type.String(), meaning: Type.String(), amount: SignedCents })),
        sum: Type.Integer({ description: 'Zero, or the books are wrong.' }),
      }),
    ),
    issuers: Type.Array(
      Type.Object({
        kinds: Type.Array(Type.String()),
        organizations: Type.Array(Type.String()),
        available: Type.Integer({ description: 'Cents at the issuer when it was last asked.' }),
        unspent: Type.Integer({
          description:
            'Cents that it has to pay yet: what its cards may still spend, or what gifts to claim are worth.',
        }),
        state: oneOf('sufficient', 'low'),
        checked_at: Time,
      }),
      { description: 'Balances at issuers of cards: always the latest ones.' },
    ),
    bank: nullable(
      Type.Object({ as_of: Type.String(), amount: SignedCents, entered_by: Type.String(), created_at: Time }),
    ),
  },
  { $id: 'Money' },
);

const query = Type.Object({ day: Type.Optional(Day) });

/** The money of all organizations, beside what banks and issuers hold. */
export function moneyRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: '/money',
      operationId: 'showMoney',
      tag: 'Money',
      summary: 'Live balances, unclaimed gifts and cards, beside issuers and the bank; the trial balance.',
      query,
      response: Money,
    },
    ({ query: { day } }) => readMoney(deps, day),
  );

  register(
    {
      method: 'GET',
      path: '/money.csv',
      operationId: 'exportMoney',
      tag: 'Money',
      summary: 'The trial balance as a file.',
      query,
      file: 'text/csv',
    },
    async ({ query: { day }, reply }) => {
      const { at, trial_balance } = await readMoney(deps, day);
      return csvReply(reply, deps.log, `money-${at.toISOString().slice(0, 10)}`, {
        columns: moneyColumns,
        rows: moneyRows(at, trial_balance),
        currency: deps.config.currency,
      });
    },
  );

  register(
    {
      method: 'POST',
      path: '/bank-balances',
      operationId: 'enterBankBalance',
      tag: 'Money',
      summary: 'Writes down what the bank held at the end of a day.',
      body: Type.Object({
        as_of: Day,
        amount: Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
        reason: Reason,
      }),
    },
    async ({ body, actor }) => {
      endOf(deps, body.as_of);
      await enterBankBalance(deps, { asOf: body.as_of, amountCents: body.amount, enteredBy: actor.name });
    },
  );
}
