import { isOf, ownerOf, resetsOf } from '../checker/read-record.ts';
import type { Recorder } from '../record/recorder.ts';

/** The load sends valid keys and bodies, so no fault explains these errors. */
const STRANGE_CODES = new Set([
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_environment_mismatch',
  'organization_suspended',
  'organization_not_configured',
  'parameter_invalid',
  'cursor_invalid',
  'request_body_invalid',
  'request_body_too_large',
  'idempotency_key_reused',
  'sandbox_missing',
  'sandbox_endpoint_only',
]);
/** Only a reset explains these errors. */
const RESET_CODES = new Set(['resource_missing', 'insufficient_balance', 'page_404']);

/** Reports errors that no fault explains. */
export function strangeErrors({ calls }: Recorder): string[] {
  const wasReset = new Set(resetsOf(calls).map(ownerOf));
  const strange = calls.flatMap((call) => {
    if (call.outcome.kind !== 'failed' || isOf(call, 'reset')) return [];
    const { code } = call.outcome;
    const isStrange = STRANGE_CODES.has(code) || (RESET_CODES.has(code) && !wasReset.has(ownerOf(call)));
    return isStrange ? [`${call.operation} was answered with ${code} for no reason.`] : [];
  });
  return [...new Set(strange)];
}

/** Reports internal errors and missing answers too, for runs in which nothing breaks. */
export function unexplainedAnswers(recorder: Recorder): string[] {
  const kinds = recorder.calls.flatMap(({ operation, outcome }) => {
    if (outcome.kind === 'unknown') return [`${operation} had no answer (${outcome.reason})`];
    const isOurs = outcome.kind === 'failed' && outcome.code === 'internal_error';
    return isOurs ? [`${operation} was answered with internal_error`] : [];
  });
  const counted = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => `${kind}, ${length} times.`);
  return [...strangeErrors(recorder), ...counted];
}
