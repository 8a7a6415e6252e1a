import createClient from 'openapi-fetch';
import { servicePath } from '../address.ts';
import type { components, paths } from './schema.d.ts';

/** The server's JSON, typed by `portal/openapi.json`. */
export const api = createClient<paths>({ baseUrl: `${servicePath}/` });

type ErrorBody = components['schemas']['Error']['error'];

/** What the server answered instead of doing what was asked; its message is a sentence for the person. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;

  constructor(status: number, { code, message, param }: Pick<ErrorBody, 'code' | 'message' | 'param'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.';

/** The data of a call. @throws ApiError, also where the server cannot be reached */
export async function unwrap<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data extends undefined ? undefined : Data> {
  const { data, error, response } = await call.catch(() => {
    throw new ApiError(0, { code: 'unreachable', message: UNREACHABLE });
  });
  if (response.ok) return data as Data extends undefined ? undefined : Data;
  throw apiErrorOf(response.status, error);
}

function apiErrorOf(status: number, body: unknown): ApiError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: ErrorBody };
  return new ApiError(
    status,
    error ?? { code: 'unknown', message: `The server answered with status ${status}. Try again.` },
  );
}
