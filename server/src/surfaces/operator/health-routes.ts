import { Type } from 'typebox';
import serverPackage from '../../../package.json' with { type: 'json' };
import { findLastVerification, recordVerification } from '../../capabilities/operators/ledger-verifications.ts';
import { verifyLedger } from '../../capabilities/seals/verify-ledger.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { nullable, oneOf, Time } from '../../platform/api/schema.ts';
import type { AllDeps } from '../deps.ts';
import { examine } from '../doctor/examine.ts';
import { measureCapacity } from '../doctor/measure-capacity.ts';
import type { OperatorRegister } from './register.ts';

const Verification = Type.Object(
  {
    verified_at: Time,
    verified_by: Type.String(),
    holds: Type.Boolean(),
    ledger_entries: Type.Integer(),
    faults: Type.Integer(),
  },
  { $id: 'LedgerVerification' },
);

const Bytes = Type.Integer();

const Health = Type.Object(
  {
    version: Type.String(),
    servers: Type.Integer({ description: 'Of organizations.' }),
    verification: nullable(Verification),
    capacity: Type.Object({
      orders: Type.Integer(),
      orders_per_day: Type.Integer({ description: 'The mean of the last seven days.' }),
      database_bytes: Bytes,
      growth_bytes_per_day: Bytes,
      disk: nullable(Type.Object({ total_bytes: Bytes, free_bytes: Bytes })),
      full_on: nullable(Type.String({ description: 'A day such as `2027-01-31`; null: unknown, or after ten years.' })),
    }),
  },
  { $id: 'OperatedHealth' },
);

/** How the service is, and what `bestow doctor` says. */
export function healthRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: '/health',
      operationId: 'showHealth',
      tag: 'Health',
      summary: 'The version, the size and growth of the database, and the last verification of the ledger.',
      response: Health,
    },
    async () => ({
      version: serverPackage.version,
      servers: deps.database.shards.length,
      verification: (await findLastVerification(deps)) ?? null,
      capacity: await measureCapacity(deps, undefined),
    }),
  );

  register(
    {
      method: 'GET',
      path: '/health/findings',
      operationId: 'listFindings',
      tag: 'Health',
      summary: 'What `bestow doctor` finds now, with its advice.',
      response: Type.Object({
        data: Type.Array(
          Type.Object({
            check: Type.String(),
            state: oneOf('ok', 'warning', 'fault'),
            found: Type.String(),
            advice: nullable(Type.String()),
          }),
        ),
      }),
    },
    async () => ({ data: await Array.fromAsync(examine(deps.config, deps.database, deps.clock)) }),
  );

  register(
    {
      method: 'POST',
      path: '/ledger/verify',
      operationId: 'verifyLedger',
      tag: 'Health',
      summary: 'Derives every balance again, as `bestow ledger verify` does.',
      takesLong: true,
      body: Type.Object({ reason: Reason }),
      response: Verification,
    },
    async ({ actor }) => {
      await recordVerification(deps, { actor, ...(await verifyLedger(deps)) });
      const found = await findLastVerification(deps);
      if (found === undefined) throw new Error('The verification was not written down.');
      return found;
    },
  );
}
