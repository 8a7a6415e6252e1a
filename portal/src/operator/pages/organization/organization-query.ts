import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';

export type Organization = components['schemas']['OperatedOrganization'];
export type Environment = Organization['environments'][number]['environment'];

export const environmentNames: Record<Environment, string> = { live: 'Live', sandbox: 'Sandbox' };

export const organizationQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId],
    queryFn: () =>
      unwrap(
        operatorApi.GET('/operator/api/organizations/{organization_id}', {
          params: { path: { organization_id: organizationId } },
        }),
      ),
  });
