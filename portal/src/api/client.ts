import { withoutTurns } from 'bestow-readers/direction.ts';
import createClient from 'openapi-fetch';
import { servicePath } from '../base/address.ts';
import { fetchConfirmed } from './fresh-sign-in.ts';
import type { components, paths } from './schema.d.ts';

/** The portal's API, typed by the document that is made of its routes. */
export const api = createClient<paths>({ baseUrl: `${servicePath}/`, fetch: fetchConfirmed });

/** Prefixes of the API's paths. */
export const ORGANIZATION_PATH = '/portal/api/organizations/{organization_id}';
export const SCOPE_PATH = `${ORGANIZATION_PATH}/{environment}` as const;

type ErrorBody = components['schemas']['Error']['error'];

/** An error answer of the server. Its message is shown to the person. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  /** When to try again, if the server says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    { code, message, param }: Pick<ErrorBody, 'code' | 'message' | 'param'>,
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** The error if no answer arrived. */
export const unreachable = () =>
  new ApiError(0, {
    code: 'unreachable',
    message: 'Could not reach the server. Check your connection and try again.',
  });

/**
 * Returns the data of a call, without characters that would turn the text around a name.
 *
 * @throws ApiError, with status 0 if the server cannot be reached
 */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data extends undefined ? undefined : Data> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (response.ok) return withoutTurns(data) as Data extends undefined ? undefined : Data;
  throw apiErrorOf(response.status, withoutTurns(error));
}

function apiErrorOf(status: number, body: unknown): ApiError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: ErrorBody };
  return new ApiError(
    status,
    error ?? { code: 'unknown', message: `The server answered with status ${status}. Try again.` },
  );
}
