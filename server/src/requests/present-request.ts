import { encodeId } from '../base/ids.ts';
import type { RequestRow, RequestSummaryRow } from './queries.ts';

/** The row, with the ids that are shown, as `req_…` in the answer's `Request-Id`. */
export type RequestSummary = RequestSummaryRow;

/** The same of a request with all that is known of it. */
export type LoggedRequest = RequestRow;

export function summarizeRequest(row: RequestSummaryRow): RequestSummary {
  const { request_id, key_id, duration_ms, ...more } = row;
  return {
    ...more,
    request_id: encodeId('req', request_id),
    key_id: encodeId('key', key_id),
    // The database's `real` has digits beyond those that were measured.
    duration_ms: Math.round(duration_ms * 10) / 10,
  };
}

export function presentRequest(row: RequestRow): LoggedRequest {
  return { ...row, ...summarizeRequest(row) };
}
