import { Type } from 'typebox';
import { decodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { findRequest } from '../requests/find-request.ts';
import { listRequests } from '../requests/list-requests.ts';
import { LoggedRequest, RequestOutcome, RequestSummary } from '../requests/portal-schema.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from './list-schema.ts';
import type { Register } from './register.ts';

const PATH = '/organizations/{organization_id}/{environment}/requests';

/** The log of API requests of the last seven days. */
export function requestRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listRequests',
      tag: 'Requests',
      summary: 'The matching requests, newest first.',
      access: 'member',
      query: Type.Object({
        outcome: Type.Optional(RequestOutcome),
        method: Type.Optional(Type.String({ pattern: '^[A-Z]{1,10}$' })),
        path: Type.Optional(Type.String({ description: 'The start of the path.' })),
        key: Type.Optional(Type.String({ description: 'The id of an API key.' })),
        ...pageQuery,
      }),
      response: pageOf(RequestSummary),
    },
    async ({ scope, query: { outcome, method, path: pathPrefix, key, ...query } }) => {
      const keyId = key === undefined ? undefined : decodeId('key', key);
      if (key !== undefined && keyId === undefined)
        throw new BestowError('parameter_invalid', { param: 'key', message: 'key is not the id of an API key.' });
      const search = { outcome, method, pathPrefix, keyId, ...readPage(query) };
      return pageAnswer(await listRequests(deps, scope, search));
    },
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/{request_id}`,
      operationId: 'showRequest',
      tag: 'Requests',
      summary: 'One logged request.',
      access: 'member',
      response: LoggedRequest,
    },
    ({ params, scope }) => findRequest(deps, scope, params.request_id),
  );
}
