import type { ApprovalRule, AskedRule } from '../../api/approval-rules.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { formatTime } from '../../ui/formats.ts';
import { useSavingRule } from './use-saving-rule.ts';

interface AskedRulesProps {
  rules: readonly ApprovalRule[];
  asked: readonly AskedRule[];
  nameOf: (memberId: string) => string;
  sentenceOf: (rule: ApprovalRule) => string;
}

/** Weaker rules of two approvals, which another person confirms or anyone takes back. */
export function AskedRules({ asked, ...props }: AskedRulesProps) {
  if (asked.length === 0) return null;
  return (
    <ul aria-label="Changes that wait for a second person" className="mt-3 grid gap-4 border-t border-line pt-3">
      {asked.map((one) => (
        <Asked key={one.member_id} asked={one} {...props} />
      ))}
    </ul>
  );
}

function Asked({ asked, rules, nameOf, sentenceOf }: Omit<AskedRulesProps, 'asked'> & { asked: AskedRule }) {
  const { me, may } = useScope();
  const viewer = me.email;
  const saving = useSavingRule(() => undefined);
  const { member_id, above } = asked;
  const whose = member_id === null ? '' : `${nameOf(member_id)}: `;
  const wanted =
    above === null
      ? member_id === null
        ? 'No orders need an approval.'
        : 'The organization’s rule holds.'
      : sentenceOf({ ...asked, above });
  const present = rules.find((rule) => rule.member_id === member_id);
  const save = ({ above, approvals, approvers }: Pick<AskedRule, 'above' | 'approvals' | 'approvers'>) =>
    saving.mutate({ member_id, above, approvals: approvals === 2 ? 2 : 1, approvers });
  return (
    <li className="wrap-anywhere">
      <p>
        <span className="font-semibold">Waits for a second person:</span> {whose}
        {wanted}
      </p>
      <p className="text-soft">
        {asked.asked_by === viewer ? 'You' : asked.asked_by} asked for this on {formatTime(asked.asked_at)}. Until
        another person who may change settings confirms it, the present rule holds. After a week it lapses.
      </p>
      {may('settings') && (
        <div className="mt-2 flex flex-wrap gap-2">
          {asked.asked_by !== viewer && (
            <Button size="small" isBusy={saving.isPending} onClick={() => save(asked)}>
              Confirm
            </Button>
          )}
          <Button
            size="small"
            isBusy={saving.isPending}
            onClick={() => save(present ?? { above: null, approvals: 1, approvers: [] })}
          >
            Take back
          </Button>
        </div>
      )}
      <FormError error={saving.error} />
    </li>
  );
}
