import { Cross2Icon, MagnifyingGlassIcon, SliderIcon } from '@radix-ui/react-icons';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from './button.tsx';
import { inputClass } from './field.tsx';

interface FiltersProps {
  /** The list's search field. */
  search?: ReactNode;
  /** Number of active filters. */
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/** The filters of a list. On a phone they are behind a button, so that the list starts on the first screen. */
export function Filters({ search, count, onClear, children }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="print:hidden mb-4 grid gap-3">
      <div className="flex gap-2">
        {search !== undefined && <div className="min-w-0 flex-1">{search}</div>}
        <div className="md:hidden">
          <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
            <SliderIcon aria-hidden /> Filters{count > 0 && ` (${count})`}
          </Button>
        </div>
      </div>
      <div
        id={id}
        className={`${isOpen ? 'grid' : 'hidden'} grid-cols-2 items-center gap-2 md:flex md:flex-wrap *:min-w-0`}
      >
        {children}
        {count > 0 && (
          <Button variant="quiet" size="small" onClick={onClear}>
            <Cross2Icon aria-hidden /> Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}

/** State of a search field. A change of the URL resets the text to the search in the URL. */
export function useSearchText(value: string | undefined, search: object) {
  const [text, setText] = useState(value ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the URL counts
  useEffect(() => setText(value ?? ''), [value, search]);
  return [text, setText] as const;
}

interface SearchFieldProps {
  label: string;
  /** From `useSearchText`. */
  text: string;
  onText: (text: string) => void;
  /** Called on Enter and when the field is cleared. */
  onSearch: (text: string) => void;
}

export function SearchField({ label, text, onText, onSearch }: SearchFieldProps) {
  return (
    <search>
      <form
        className="relative"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onChange={(event) => {
            onText(event.target.value);
            if (event.target.value === '') onSearch('');
          }}
          className={`${inputClass} pr-11 text-ellipsis`}
        />
        <button
          type="submit"
          aria-label="Search"
          className="absolute inset-y-1 right-1 rounded-lg px-2 text-soft hover:bg-sunken hover:text-ink"
        >
          <MagnifyingGlassIcon aria-hidden className="size-5" />
        </button>
      </form>
    </search>
  );
}

interface DateFilterProps {
  label: string;
  /** `2026-11-21`, or empty. */
  value: string;
  onChange: (day: string) => void;
}

/** A date input reports a value while the person types the year; years before 1000 are incomplete. */
const isWhole = ({ value, validity }: HTMLInputElement) => !validity.badInput && (value === '' || value >= '1000');

/** A native date input. An incomplete date stays in the field, and the field resets it on blur. */
export function DateFilter({ label, value, onChange }: DateFilterProps) {
  const [day, setDay] = useState(value);
  useEffect(() => setDay(value), [value]);
  return (
    <label className="flex items-center gap-2 text-sm text-soft max-sm:col-span-2">
      <span className="max-sm:w-10 max-sm:shrink-0">{label}</span>
      <input
        type="date"
        value={day}
        max="9998-12-31"
        onChange={({ target }) => {
          setDay(target.value);
          if (isWhole(target)) onChange(target.value);
        }}
        onBlur={({ target }) => {
          if (isWhole(target)) return;
          setDay(value);
          target.value = value;
        }}
        className={`${inputClass} min-w-0`}
      />
    </label>
  );
}
