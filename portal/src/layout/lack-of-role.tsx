import { useQuery } from '@tanstack/react-query';
import { Link, useMatches, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Permission } from '../api/permissions.ts';
import { rolesQuery } from '../api/roles.ts';
import { useScope } from '../api/use-scope.ts';
import { Page, Panel } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { usePages } from './plan.ts';

/** Says what the role lacks for a page. The overview, which a sign-in opens, leads to the first page of the menu. */
export function LackOfRole({ needs }: { needs: readonly Permission[] }) {
  const { organizationId, environment } = useScope();
  const [first] = usePages();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const instead = path === '/$organizationId/$environment/' ? first?.to : undefined;
  const navigate = useNavigate();
  useEffect(() => {
    if (instead !== undefined) void navigate({ to: instead, params: { organizationId, environment }, replace: true });
  }, [instead, organizationId, environment, navigate]);
  return instead === undefined && <Lack needs={needs} />;
}

/** In the words of the server's table. */
function Lack({ needs }: { needs: readonly Permission[] }) {
  const { organizationId, params } = useScope();
  const roles = useQuery(rolesQuery(organizationId));
  return (
    <Page title="Not part of your role">
      <Panel>
        <Loaded query={roles} lines={2}>
          {({ permissions }) => (
            <>
              <p>
                Your role does not include{' '}
                {needs.map((one) => permissions.find(({ permission }) => permission === one)?.says ?? one).join(' or ')}
                . Ask an admin.
              </p>
              <p className="mt-3">
                <Link
                  to="/$organizationId/$environment/members/roles"
                  params={params}
                  className="text-accent underline underline-offset-2"
                >
                  What each role includes
                </Link>
              </p>
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
