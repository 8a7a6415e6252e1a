import { Type } from 'typebox';
import { Reconciliation, reconcile, reconciledKinds } from '../../core/balances/reconcile.ts';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { oneOf } from '../../platform/api/schema.ts';

/** A body has at most 1 MB. */
const MAX_CHARACTERS = 900_000;

/** Compares a customer's own records with the ledger. */
export function reconcileRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/{environment}/balance/reconciliations',
      operationId: 'reconcile',
      tag: 'Balance',
      summary: 'Compares a CSV of references and amounts with the ledger; nothing is stored.',
      access: 'member',
      needs: 'money',
      body: Type.Object({
        csv: Type.String({
          minLength: 1,
          maxLength: MAX_CHARACTERS,
          'x-rule': 'must be a CSV of at most 900,000 characters; split it by month',
        }),
        month: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', 'x-rule': 'must be a month such as 2026-11' }),
        kind: oneOf(...reconciledKinds),
      }),
      response: Reconciliation,
    },
    ({ scope, body }) => reconcile(deps, scope, { text: body.csv, month: body.month, kind: body.kind }),
  );
}
