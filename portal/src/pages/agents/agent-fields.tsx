import { type ReactNode, useId } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { MoneyField } from '../../ui/money-field.tsx';
import { type LimitTexts, readLimits } from './agent-draft.ts';
import { isUnlimited, type Permission, periods } from './agent-terms.ts';

/** A group of fields with its heading. */
export const FieldGroup = ({
  legend,
  hint,
  children,
}: {
  legend: string;
  hint?: string | undefined;
  children: ReactNode;
}) => (
  <fieldset className="mt-6 min-w-0">
    <legend className="font-semibold">{legend}</legend>
    {hint !== undefined && <p className="text-sm text-soft">{hint}</p>}
    <div className="mt-2 grid gap-2">{children}</div>
  </fieldset>
);

interface ChoiceProps {
  type: 'checkbox' | 'radio';
  /** Of radio buttons. */
  name?: string;
  label: string;
  hint?: string | undefined;
  isChecked: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
  onChange?: (isChecked: boolean) => void;
}

/** A checkbox or a radio button with a label and a sentence. */
export function Choice({ type, name, label, hint, isChecked, isDisabled, isInvalid, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <label className="flex items-start gap-2.5">
      <input
        type={type}
        name={name}
        checked={isChecked}
        disabled={isDisabled}
        aria-invalid={isInvalid || undefined}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange?.(target.checked)}
        className="mt-1 size-4 shrink-0 accent-(--accent)"
      />
      <span className="min-w-0">
        <span id={`${id}-label`} className="wrap-anywhere">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-sm text-soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** A risk that the choices above bring. Screen readers hear it when it appears. */
export const Warning = ({ children }: { children: string | false }) => (
  <p role="status" className={children === false ? 'sr-only' : 'mt-3 rounded-xl bg-warn-wash px-4 py-3 text-warn'}>
    {children}
  </p>
);

interface LimitFieldsProps {
  permissions: readonly Permission[];
  limits: LimitTexts;
  onChange: (limits: LimitTexts) => void;
}

/** What the agent's orders may cost. */
export function LimitFields({ permissions, limits, onChange }: LimitFieldsProps) {
  const { currency } = useScope();
  const read = readLimits(limits, currency);
  return (
    <>
      <div className="grid items-start gap-x-3 gap-y-3 sm:grid-cols-2 *:mt-0">
        {periods.map(({ period, label }) => (
          <MoneyField
            key={period}
            label={label}
            currency={currency}
            value={limits[period]}
            onChange={(text) => onChange({ ...limits, [period]: text })}
          />
        ))}
      </div>
      {permissions.includes('order') && (
        <MoneyField
          label="Ask an admin above"
          hint="An order above this amount waits until an admin approves it. 0: each order. Empty: none."
          currency={currency}
          value={limits.ask_above}
          onChange={(text) => onChange({ ...limits, ask_above: text })}
          leastCents={0}
        />
      )}
      {limits.recipient.trim() !== '' && (
        <p className="mt-3 text-sm text-soft">With a limit per recipient, the agent cannot order link gifts.</p>
      )}
      <Warning>
        {read !== undefined &&
          isUnlimited(permissions, read) &&
          'Without a limit per hour, per day or in all, the agent can spend the whole balance.'}
      </Warning>
    </>
  );
}
