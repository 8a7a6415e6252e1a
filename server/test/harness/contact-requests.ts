import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../src/platform/base/errors.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { Answer, ApiClient } from './api-client.ts';

type Ask = (api: ApiClient, prepared: { contactId: string }) => Promise<Answer>;
type Requests = Record<string, [result: number | ErrorCode, ask: Ask]>;

const large = 'x'.repeat(2 ** 20 + 1);
const unknown = () => encodeId('con', randomUUID());
const delivery = { method: 'email', email: 'grace@example.com' };

/** Adds the contact that the requests expect. */
export async function addAda(api: ApiClient): Promise<string> {
  const input = { delivery: { method: 'email', email: 'ada@example.com' }, external_id: 'ada' };
  return (await api.put('/v1/contacts', input)).body.contact_id;
}

/** Requests by operation, with their results if the key is valid, after `addAda`. */
export const contactRequests: Record<string, Requests> = {
  listContacts: {
    valid: [200, (api) => api.get('/v1/contacts?tag=berlin')],
    'empty page': [200, (api, { contactId }) => api.get(`/v1/contacts?starting_after=${contactId}`)],
    'cursor of nothing': ['cursor_invalid', (api) => api.get('/v1/contacts?starting_after=con_1')],
    'limit of nothing': ['parameter_invalid', (api) => api.get('/v1/contacts?limit=0')],
    'recipient of nothing': ['parameter_invalid', (api) => api.get('/v1/contacts?recipient=ada')],
  },
  saveContact: {
    new: [201, (api) => api.put('/v1/contacts', { delivery })],
    known: [200, (api) => api.put('/v1/contacts', { delivery, external_id: 'ada' })],
    'unknown field': ['parameter_invalid', (api) => api.put('/v1/contacts', { delivery, more: 1 })],
    'no JSON': ['request_body_invalid', (api) => api.put('/v1/contacts', '{')],
    'large body': ['request_body_too_large', (api) => api.put('/v1/contacts', large)],
  },
  retrieveContact: {
    valid: [200, (api, { contactId }) => api.get(`/v1/contacts/${contactId}`)],
    'unknown contact': ['resource_missing', (api) => api.get(`/v1/contacts/${unknown()}`)],
    'no id': ['resource_missing', (api) => api.get('/v1/contacts/1')],
  },
  deleteContact: {
    'unknown contact': ['resource_missing', (api) => api.request('DELETE', `/v1/contacts/${unknown()}`)],
    valid: [200, (api, { contactId }) => api.request('DELETE', `/v1/contacts/${contactId}`)],
  },
};
