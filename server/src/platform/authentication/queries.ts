import type { Environment } from '../base/environment.ts';
import { coalescedStatement } from '../database/coalesced-statement.ts';
import { statementOfNone } from '../database/statement.ts';
import { type CallerParameters, type CallerRow, presentedKey, selectCaller } from './caller.ts';

/** Checks a key by itself. */
export const selectCallerAlone = coalescedStatement<CallerParameters, CallerRow>({
  name: 'authentication.select_caller',
  types: ['uuid', 'environment', 'jsonb'],
  text: ([organizationId, environment, key]) =>
    selectCaller({ organizationId, environment, key: presentedKey(key), needs: 'read' }),
});

/** Finds the organization of a key that does not name it. */
export const selectEarlierKey = statementOfNone<[hash: Buffer], { organization_id: string; environment: Environment }>(
  'keys.select_earlier',
  'select organization_id, environment from earlier_keys where hash = $1',
);
