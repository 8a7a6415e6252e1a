import { type Ref, useId } from 'react';
import { inputClass } from './field.tsx';

interface TextAreaProps {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Code points. */
  most: number;
  rows?: number;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A text of several lines, and how many characters are left. */
export function TextArea({ label, hint, error, value, onChange, onBlur, most, rows = 5, ref }: TextAreaProps) {
  const id = useId();
  const left = most - [...value].length;
  return (
    <div className="mt-4 first:mt-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <textarea
        ref={ref}
        id={id}
        rows={rows}
        onBlur={onBlur}
        value={value}
        // Tabs come with pasted text and would be refused.
        onChange={(event) => onChange(event.target.value.replaceAll('\t', ' '))}
        aria-invalid={error !== undefined || left < 0 || undefined}
        aria-describedby={`${id}-description`}
        className={`${inputClass} block resize-y`}
      />
      <p id={`${id}-description`} className="mt-1 flex justify-between gap-4 text-sm text-soft">
        <span className={error === undefined ? '' : 'text-bad'}>{error ?? hint}</span>
        <span className={`whitespace-nowrap ${left < 0 ? 'font-semibold text-bad' : ''}`}>
          {left < 0 ? `${-left} too many` : `${left} left`}
        </span>
      </p>
    </div>
  );
}
