import { Type } from 'typebox';
import { addFunds } from '../../core/balances/change-balance.ts';
import { entryExportColumns, exportEntries } from '../../core/balances/export-entries.ts';
import { findBalanceAlert } from '../../core/balances/find-balance-alert.ts';
import { findOwed } from '../../core/balances/find-owed.ts';
import { listEntries } from '../../core/balances/list-entries.ts';
import { BalanceAlert, EntryKind, LedgerEntry, Outlook } from '../../core/balances/portal-schema.ts';
import { setBalanceAlert } from '../../core/balances/set-balance-alert.ts';
import { showOutlook } from '../../core/balances/show-outlook.ts';
import { requireUnlockedSandbox } from '../../core/sandbox/require-unlocked-sandbox.ts';
import {
  pageAnswer,
  pageOf,
  pageQuery,
  periodQuery,
  readPage,
  readPeriod,
} from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, nullable } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { csvReply } from '../../platform/http/csv-reply.ts';
import type { AllDeps } from '../deps.ts';

/** Far below the largest balance. */
const MOST_TEST_FUNDS_CENTS = 100_000_000;

const Balance = Type.Object(
  {
    outlook: Outlook,
    alert: nullable(BalanceAlert),
    most_test_funds: Type.Integer({ description: 'The most cents to add to the sandbox at a time.' }),
    owed: Type.Integer({
      description: 'Cents taken back by a bank and not yet paid; while above zero, orders are declined.',
    }),
    can_top_up: Type.Boolean({ description: 'Whether organizations can pay by themselves.' }),
    funding_instructions: nullable(Type.String({ description: 'The operator’s text for live balances.' })),
  },
  { $id: 'Balance' },
);

const PATH = '/organizations/{organization_id}/{environment}/balance';
const filters = { kind: Type.Optional(EntryKind), ...periodQuery };

/** The balance, its ledger and its alert. Statements are in `statement-routes.ts`. */
export function balanceRoutes(register: Register, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showBalance',
      tag: 'Balance',
      summary: 'The balance, its outlook, its alert and how to add funds.',
      access: 'member',
      needs: 'money',
      response: Balance,
    },
    async ({ scope }) => {
      const [outlook, alert] = await Promise.all([showOutlook(deps, scope), findBalanceAlert(deps, scope)]);
      return {
        outlook,
        alert: alert ?? null,
        most_test_funds: MOST_TEST_FUNDS_CENTS,
        owed: await findOwed(deps, scope),
        can_top_up: scope.environment === 'live' && deps.stripe !== undefined,
        funding_instructions: deps.config.fundingInstructions ?? null,
      };
    },
  );

  addEntryRoutes(register, deps);
  addChangeRoutes(register, deps);
}

function addEntryRoutes(register: Register, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/entries`,
      operationId: 'listEntries',
      tag: 'Balance',
      summary: 'The ledger’s entries, newest first, each with the balance after it.',
      access: 'member',
      needs: 'money',
      query: Type.Object({ ...filters, ...pageQuery }),
      response: pageOf(LedgerEntry),
    },
    async ({ scope, query }) =>
      pageAnswer(await listEntries(deps, scope, { kind: query.kind, ...readPeriod(query), ...readPage(query) })),
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/entries.csv`,
      operationId: 'exportEntries',
      tag: 'Balance',
      summary: 'All matching entries as a file.',
      access: 'member',
      needs: 'money',
      query: Type.Object(filters),
      file: 'text/csv',
    },
    ({ scope, query, reply }) => {
      const entries = exportEntries(deps, scope, { kind: query.kind, ...readPeriod(query) });
      return csvReply(reply, deps.log, `balance-${scope.environment}`, {
        columns: entryExportColumns,
        rows: entries,
        currency: deps.config.currency,
      });
    },
  );
}

function addChangeRoutes(register: Register, deps: AllDeps): void {
  register(
    {
      method: 'PUT',
      path: `${PATH}/alert`,
      operationId: 'setBalanceAlert',
      tag: 'Balance',
      summary: 'Sets the balance below which admins and the billing contact get an email; null turns the alert off.',
      access: 'member',
      needs: 'pay',
      body: Type.Object({
        threshold: Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
          'x-rule': 'must be an amount above zero, or left out for no mail',
        }),
      }),
      response: Type.Object({ alert: nullable(BalanceAlert) }),
    },
    async ({ params, scope, body, member }) => {
      const alert = await setBalanceAlert(deps, {
        organizationId: params.organization_id,
        environment: scope.environment,
        thresholdCents: body.threshold,
        actor: member.actor,
      });
      return { alert: alert ?? null };
    },
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/sandbox/balance/test-funds',
      operationId: 'addTestFunds',
      tag: 'Balance',
      summary: 'Adds test funds to the sandbox’s balance.',
      access: 'member',
      needs: 'test',
      body: Type.Object({
        amount: Type.Integer({
          minimum: 1,
          maximum: MOST_TEST_FUNDS_CENTS,
          'x-rule': 'must be from 0.01 to 1,000,000.00 at a time',
        }),
      }),
      response: Type.Object({ balance: Cents }),
    },
    async ({ params, body, member }) => {
      // Without a sandbox the balance would reappear in the next one.
      if (!member.membership.has_sandbox) throw new BestowError('not_found');
      await requireUnlockedSandbox(deps, { organizationId: member.organizationId, environment: 'sandbox' });
      const { balance } = await addFunds(deps, {
        organizationId: params.organization_id,
        environment: 'sandbox',
        amountCents: body.amount,
        reference: undefined,
        note: 'Test funds',
        actor: member.actor,
      });
      return { balance };
    },
  );
}
