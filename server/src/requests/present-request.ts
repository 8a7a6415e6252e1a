import { encodeId } from '../base/ids.ts';
import type { RequestRow, RequestSummaryRow } from './queries.ts';

/** A request in a list. */
export interface RequestSummary {
  /** `req_…`, as in the answer's `Request-Id`. */
  request_id: string;
  /** When it began. */
  created_at: Date;
  method: string;
  /** With its query; what is a person's in it is masked. */
  path: string;
  status: number;
  /** Null where it succeeded. */
  error_code: string | null;
  key_id: string;
  duration_ms: number;
}

/** A request with all that is known of it; addresses and names in it are masked. */
export interface LoggedRequest extends RequestSummary {
  error_message: string | null;
  error_param: string | null;
  /** The caller's IP address. */
  client_address: string | null;
  /** JSON, with `…` where it was cut. Null where no body was sent, or it was not JSON. */
  body: string | null;
  /** The body's length as it was sent; null where there was none, or its length was not announced. */
  body_bytes: number | null;
}

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
