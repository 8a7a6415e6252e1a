import { type Mark, marks } from 'bestow-readers/marks.ts';
import { useId, useRef } from 'react';
import { LONGEST_MESSAGE } from '../../base/gift-limits.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';

interface MessageFieldProps {
  label?: string;
  value: string;
  onChange: (message: string) => void;
  onBlur?: () => void;
  error?: string | undefined;
  /** The marks that can be filled. */
  offered?: readonly Mark[];
}

/** What the sender writes, with the marks that are filled for each gift. */
export function MessageField({ label = 'Message (optional)', error, offered = marks, ...field }: MessageFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const insert = (mark: Mark) => {
    const { current } = area;
    if (current === null) return;
    current.setRangeText(`{${mark}}`, current.selectionStart, current.selectionEnd, 'end');
    field.onChange(current.value);
    current.focus();
  };
  return (
    <>
      <TextArea
        {...field}
        ref={area}
        label={label}
        hint="Plain text; line breaks are kept."
        error={error}
        most={LONGEST_MESSAGE}
      />
      <div className="mt-2 flex flex-wrap items-baseline gap-2">
        <span id={id} className="text-sm text-soft">
          Filled for each gift:
        </span>
        {offered.map((mark) => (
          <Button key={mark} size="small" aria-describedby={id} onClick={() => insert(mark)}>{`{${mark}}`}</Button>
        ))}
      </div>
    </>
  );
}
