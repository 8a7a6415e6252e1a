import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from '../../api/me.ts';
import { membersQueryKey } from '../../api/member-acts.ts';
import { rolesQuery } from '../../api/roles.ts';
import { useScope } from '../../api/use-scope.ts';

/** Loads again what a change of a member shows elsewhere. */
export function useMembersChanged() {
  const { organizationId } = useScope();
  const queryClient = useQueryClient();
  const router = useRouter();
  return async ({ isOneself, isGone = false }: { isOneself: boolean; isGone?: boolean }) => {
    if (isOneself) {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await router.invalidate();
    }
    if (isGone) return;
    await Promise.all(
      [membersQueryKey(organizationId), rolesQuery(organizationId).queryKey].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  };
}
