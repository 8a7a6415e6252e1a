import { encodeId } from '../../platform/base/ids.ts';
import type { LoggedRequest, RequestSummary } from './portal-schema.ts';

/** Encodes the ids of a row. */
export function summarizeRequest(row: RequestSummary): RequestSummary {
  const { request_id, key_id, duration_ms, ...more } = row;
  return {
    ...more,
    request_id: encodeId('req', request_id),
    key_id: encodeId('key', key_id),
    // A `real` has more digits than were measured.
    duration_ms: Math.round(duration_ms * 10) / 10,
  };
}

export function presentRequest(row: LoggedRequest): LoggedRequest {
  return { ...row, ...summarizeRequest(row) };
}
