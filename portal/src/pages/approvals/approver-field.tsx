import { useId } from 'react';
import type { Member } from '../../api/member-acts.ts';
import { SelectField } from '../../ui/field.tsx';

interface ApproverFieldProps {
  approvers: readonly Member[];
  isNamed: boolean;
  onNamed: (isNamed: boolean) => void;
  /** Ids of members. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  error: string | undefined;
}

/** Who approves: everyone whose role allows it, or chosen ones of them. */
export function ApproverField({ approvers, isNamed, onNamed, chosen, onChange, error }: ApproverFieldProps) {
  const id = useId();
  return (
    <>
      <SelectField
        label="Who decides"
        value={isNamed ? 'some' : 'all'}
        onChange={(value) => onNamed(value === 'some')}
        error={error}
        options={options}
      />
      {isNamed && (
        <fieldset aria-labelledby={id} className="mt-3 grid min-w-0 gap-1.5">
          <legend id={id} className="sr-only">
            Members who decide
          </legend>
          {approvers.map(({ member_id, name, email }) => (
            <label key={member_id} className="flex items-start gap-2.5">
              <input
                type="checkbox"
                checked={chosen.includes(member_id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, member_id] : chosen.filter((one) => one !== member_id))
                }
                className="mt-1 size-4 shrink-0 accent-(--accent)"
              />
              <span className="min-w-0 wrap-anywhere">
                {name ?? email}
                {name !== null && <span className="block text-sm text-soft">{email}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

const options = [
  { value: 'all', label: 'Everyone whose role decides requests' },
  { value: 'some', label: 'Chosen members' },
] as const;
