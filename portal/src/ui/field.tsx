import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { SignInButton } from './sign-in-button.tsx';

export const inputClass =
  'w-full min-h-10 rounded-xl border border-line-strong bg-surface px-3 py-2 text-base text-ink sm:text-[0.9375rem] aria-invalid:border-bad';

interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface TextFieldProps extends Labelled, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> {
  value: string;
  onChange: (value: string) => void;
  /** Below the input, above what follows. */
  popup?: ReactNode;
}

/** A text input with its label, and a hint or an error. */
export function TextField({ label, hint, error, value, onChange, popup, className = '', ...rest }: TextFieldProps) {
  const id = useId();
  const description = hint !== undefined || error !== undefined ? `${id}-description` : undefined;
  return (
    <div className="mt-4 first:mt-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          {...rest}
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={description}
          className={`${inputClass} ${className}`}
        />
        {popup}
      </div>
      {description !== undefined && (
        <p id={description} className={`mt-1 text-sm ${error === undefined ? 'text-soft' : 'text-bad'}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

interface SelectFieldProps<Value extends string> extends Labelled {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
  /** For screen readers only: in a row of filters the first option names the field. */
  isLabelHidden?: boolean;
}

/** A native select, which works with every keyboard, screen reader and phone. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, error, value, onChange, options, isLabelHidden = false } = props;
  const id = useId();
  return (
    <div className={isLabelHidden ? '' : 'mt-4 first:mt-0'}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block font-semibold'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className={`${inputClass} pr-8`}
        aria-describedby={hint === undefined && error === undefined ? undefined : `${id}-description`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {(hint !== undefined || error !== undefined) && (
        <p id={`${id}-description`} className={`mt-1 text-sm ${error === undefined ? 'text-soft' : 'text-bad'}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

/** An error that is not about one field. */
export function FormError({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className="mt-4 rounded-xl border border-bad/40 bg-bad-wash px-4 py-3 text-bad">
      {error.message}
      <SignInButton error={error} className="mt-2 block font-semibold underline" />
    </p>
  );
}
