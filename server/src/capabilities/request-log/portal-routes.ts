import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { findRequest } from './find-request.ts';
import { listRequests } from './list-requests.ts';
import { LoggedRequest, RequestOutcome, RequestSummary } from './portal-schema.ts';

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
      needs: 'integrations',
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
      needs: 'integrations',
      response: LoggedRequest,
    },
    ({ params, scope }) => findRequest(deps, scope, params.request_id),
  );
}
