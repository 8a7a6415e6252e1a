import type { ErrorCode } from '../../src/platform/base/errors.ts';
import type { Answer, ApiClient } from './api-client.ts';

type Ask = (api: ApiClient) => Promise<Answer>;
type Requests = Record<string, [result: number | ErrorCode, ask: Ask]>;

const UNKNOWN = 'led_01k0fxw4mze6hv3tqx4d5s8r2p';

/** Requests by operation, with their results if the key is valid. */
export const ledgerRequests: Record<string, Requests> = {
  retrieveLedgerStatement: {
    valid: [200, (api) => api.get('/v1/balance/statements/2026-11')],
    'no month': ['parameter_invalid', (api) => api.get('/v1/balance/statements/2026-13')],
  },
  retrieveLedgerCheckpoint: { valid: [200, (api) => api.get('/v1/ledger/checkpoint')] },
  retrieveLedgerProof: {
    valid: [200, (api) => api.get('/v1/ledger/proof?from_size=0')],
    'unknown entry': ['resource_missing', (api) => api.get(`/v1/ledger/proof?entry_id=${UNKNOWN}`)],
    'larger than the tree': ['parameter_invalid', (api) => api.get('/v1/ledger/proof?from_size=999')],
    'nothing to prove': ['parameter_invalid', (api) => api.get('/v1/ledger/proof')],
  },
};
