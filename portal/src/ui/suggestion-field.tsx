import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react';
import { TextField } from './field.tsx';
import { countOf } from './formats.ts';
import { type Option, OptionList, stepBy } from './option-list.tsx';

interface SuggestionFieldProps<Shown extends Option> extends ComponentProps<typeof TextField> {
  /** For what is typed now; undefined: a plain field. */
  suggestions: readonly Shown[] | undefined;
  onChoose: (chosen: Shown) => void;
  /** What is suggested: `contact`. */
  counted: string;
}

/**
 * A text field that suggests what fits. Nothing is chosen until the person says so: the arrow keys lead to a suggestion,
 * Enter takes it, Escape closes the list, and Enter without a suggestion sends the form.
 */
export function SuggestionField<Shown extends Option>(props: SuggestionFieldProps<Shown>) {
  const { suggestions, onChoose, counted, onChange, onBlur, ...field } = props;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(-1);
  if (suggestions === undefined) return <TextField {...field} onChange={onChange} onBlur={onBlur} />;
  const isShown = isOpen && suggestions.length > 0;
  const current = isShown && at < suggestions.length ? at : -1;
  const close = () => {
    setIsOpen(false);
    setAt(-1);
  };
  const choose = (chosen: Shown) => {
    close();
    onChoose(chosen);
  };
  const press = (event: KeyboardEvent) => {
    const chosen = suggestions[current];
    if (isShown && event.key === 'Escape') close();
    else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      choose(chosen);
    } else if (stepBy(event, { current, count: suggestions.length }, setAt)) setIsOpen(true);
  };
  return (
    <TextField
      {...field}
      role="combobox"
      data-suggests={isShown || undefined}
      aria-expanded={isShown}
      aria-controls={isShown ? `${id}-list` : undefined}
      aria-activedescendant={current < 0 ? undefined : `${id}-${current}`}
      aria-autocomplete="list"
      autoComplete="off"
      onChange={(text) => {
        setIsOpen(true);
        setAt(-1);
        onChange(text);
      }}
      onKeyDown={press}
      onBlur={(event) => {
        close();
        onBlur?.(event);
      }}
      popup={
        <>
          {isShown && (
            <OptionList
              id={id}
              label={`Suggestions for ${field.label}`}
              options={suggestions}
              current={current}
              onPoint={setAt}
              onChoose={choose}
              className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 rounded-xl border border-line-strong bg-surface p-1 shadow-soft"
            />
          )}
          <span role="status" className="sr-only">
            {isShown && `${countOf(suggestions.length, counted)} below.`}
          </span>
        </>
      }
    />
  );
}
