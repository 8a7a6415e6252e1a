import { useMutation, useQueryClient } from '@tanstack/react-query';
import { rulesQuery } from '../../api/approval-rules.ts';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { useToast } from '../../ui/toast.tsx';

interface RuleToSave {
  /** Null: of all members without an own rule. */
  member_id: string | null;
  /** Null: no rule. */
  above: number | null;
  approvals: 1 | 2;
  approvers: string[];
}

/** Saves a rule of approval, and says if it waits for a second person. @param saved what else it says */
export function useSavingRule(onSaved: () => void, saved = 'Rule for approvals saved.') {
  const { organizationId } = useScope();
  const queryClient = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: (rule: RuleToSave) =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/approval-rules`, {
          params: { path: { organization_id: organizationId } },
          body: rule,
        }),
      ),
    onSuccess: (changed, { member_id }) => {
      queryClient.setQueryData(rulesQuery(organizationId).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['gift-requests'] });
      const isAsked = changed.asked.some((one) => one.member_id === member_id);
      showToast(isAsked ? 'Another person must confirm this. All admins get an email.' : saved);
      onSaved();
    },
  });
}
