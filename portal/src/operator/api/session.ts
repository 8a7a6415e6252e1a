import { queryOptions } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import { unwrap } from '../../api/client.ts';
import { servicePath } from '../../base/address.ts';
import { operatorApi } from './client.ts';
import type { components, paths } from './schema.d.ts';

export type OperatorSession = components['schemas']['OperatorSession'];

// Not `operatorApi`: a sign-in must not wait for the dialog that it answers.
const plainApi = createClient<paths>({ baseUrl: `${servicePath}/` });

/** The operator's session, which lasts an hour. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => unwrap(operatorApi.GET('/operator/api/session')),
  staleTime: 60_000,
});

/**
 * Begins a session for a person who has just signed in with a second factor.
 *
 * @throws ApiError `sign_in_required`, `not_found`, `second_factor_required`, `sign_in_again`
 */
export const beginSession = (): Promise<OperatorSession> => unwrap(plainApi.POST('/operator/api/session'));

export const endSession = () => unwrap(plainApi.DELETE('/operator/api/session'));
