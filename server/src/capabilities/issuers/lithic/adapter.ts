import { Lithic } from 'lithic';
import type { Adapter } from '../adapter.ts';
import { lithicIssuer } from './lithic-issuer.ts';
import { readSettings } from './settings.ts';

const TIMEOUT_MS = 20_000;

/** Virtual cards of Lithic. The library is loaded with this module. */
export const lithic: Adapter = {
  create(values, _scope, { clock }) {
    const read = readSettings(values);
    const { apiKey, apiBase } = read;
    // Jobs retry, with the same keys.
    const options = { apiKey, maxRetries: 0, timeout: TIMEOUT_MS, ...(apiBase !== undefined && { baseURL: apiBase }) };
    return lithicIssuer(new Lithic(options), read, clock);
  },
};
