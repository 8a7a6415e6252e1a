import { useEffect, useRef } from 'react';

/** What a combobox offers. */
export interface Option {
  key: string;
  label: string;
  /** Below it: what tells it from others with the same label. */
  detail?: string | undefined;
  /** At the right: “Page”, “Gift”. */
  kind?: string | undefined;
}

interface OptionListProps<Shown extends Option> {
  /** Of the combobox: the list is `${id}-list`, its options `${id}-0` and so on. */
  id: string;
  label: string;
  options: readonly Shown[];
  /** The index of the active one; -1: none. */
  current: number;
  onPoint: (index: number) => void;
  onChoose: (option: Shown) => void;
  className: string;
}

/** The list of a combobox. The focus stays in the field, which has the keys. */
export function OptionList<Shown extends Option>(props: OptionListProps<Shown>) {
  const { id, label, options, current, onPoint, onChoose, className } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of a combobox
    <ul ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={`overflow-y-auto ${className}`}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <li
          key={option.key}
          id={`${id}-${index}`}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of a combobox
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
          onPointerMove={() => onPoint(index)}
          className="flex cursor-pointer items-baseline justify-between gap-4 rounded-lg px-3 py-2 aria-selected:bg-accent-wash aria-selected:text-accent"
        >
          <span className="min-w-0 wrap-anywhere">
            {option.label}
            {option.detail !== undefined && (
              <span className="block text-sm text-soft tabular-nums">{option.detail}</span>
            )}
          </span>
          {option.kind !== undefined && <span className="shrink-0 text-sm text-soft">{option.kind}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Moves the active option by the arrow keys, from the last to the first. Returns whether the key did. */
export function stepBy(
  event: React.KeyboardEvent,
  { current, count }: { current: number; count: number },
  onPoint: (index: number) => void,
): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || count === 0) return false;
  event.preventDefault();
  // From no option, up leads to the last one.
  onPoint(current < 0 && step < 0 ? count - 1 : (current + step + count) % count);
  return true;
}
