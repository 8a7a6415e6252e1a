import { rulesQuery } from '../../api/approval-rules.ts';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { useAct } from '../../ui/use-act.ts';

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
  return useAct({
    send: (rule: RuleToSave) =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/approval-rules`, {
          params: { path: { organization_id: organizationId } },
          body: rule,
        }),
      ),
    shows: rulesQuery(organizationId).queryKey,
    waits: false,
    done: ({ asked }, { member_id }) =>
      asked.some((one) => one.member_id === member_id)
        ? 'Another person must confirm this. All admins get an email.'
        : saved,
    onDone: onSaved,
  });
}
