import type { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { AgentCall } from '../../platform/http/request-context.ts';
import { maskAnswer, maskRequest } from './mask-body.ts';
import { maskError } from './mask-error.ts';
import { maskPath } from './mask-path.ts';
import type { NewRequestRow } from './queries.ts';

/** UUIDs. */
export type KeyOwner = Scope & { keyId: string };

/** A request before it is written. Keeps references, because under load most entries are dropped. */
export interface RequestEntry {
  requestId: string;
  keyOwner: KeyOwner;
  createdAtMs: number;
  durationMs: number;
  method: string;
  pattern: string;
  url: string;
  status: number;
  error: BestowError | undefined;
  agentCall?: AgentCall | undefined;
  clientAddress: string | undefined;
  /** Large bodies are masked immediately, so that the entries of a second stay below 16 MB. */
  body: { parsed: unknown } | { masked: string } | undefined;
  bodyBytes: number | null;
  answer: string | undefined;
  answerBytes: number | null;
}

const MAX_ADDRESS_CHARACTERS = 64;

/** Builds the row of an entry, with addresses and names masked. */
export function rowOf(entry: RequestEntry, mailDomain: string): NewRequestRow {
  const { keyOwner, agentCall, body, answer } = entry;
  const error = entry.error ?? agentCall?.error;
  return {
    organization_id: keyOwner.organizationId,
    environment: keyOwner.environment,
    request_id: decodeId('req', entry.requestId) ?? '',
    created_at: new Date(entry.createdAtMs).toISOString(),
    method: entry.method,
    path: maskPath(entry.pattern, entry.url, mailDomain),
    status: agentCall?.error?.status ?? entry.status,
    error_code: error?.code ?? null,
    ...(error === undefined ? { error_message: null, error_param: null } : maskError(error, mailDomain)),
    key_id: keyOwner.keyId,
    tool: agentCall?.tool ?? null,
    client: agentCall?.client ?? null,
    client_address: entry.clientAddress?.slice(0, MAX_ADDRESS_CHARACTERS) ?? null,
    duration_ms: entry.durationMs,
    body:
      body === undefined ? null : 'masked' in body ? body.masked : maskRequest(entry.pattern, body.parsed, mailDomain),
    body_bytes: entry.bodyBytes,
    answer: answer === undefined ? null : maskAnswer(JSON.parse(answer), mailDomain),
    answer_bytes: entry.answerBytes,
  };
}
