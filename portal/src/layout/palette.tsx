import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { inputClass } from '../ui/field.tsx';
import { type Choice, useChoices } from './palette-choices.ts';

interface PaletteProps {
  onClose: () => void;
  onHelp: () => void;
}

/** Finds pages, ids, recipients, members and documentation. A combobox: the focus stays in the field. */
export function Palette({ onClose, onHelp }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { choices, isSearching } = useChoices(text.trim(), onHelp);
  const navigate = useNavigate();
  const id = useId();
  const current = Math.min(at, choices.length - 1);

  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    if (choice.act !== undefined) return choice.act();
    onClose();
    if (choice.href !== undefined) window.location.assign(choice.href);
    else void navigate(choice.link);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((current + step + choices.length) % Math.max(choices.length, 1));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(choices[current]);
    }
  };

  return (
    <Dialog isOpen onClose={onClose} title="Search">
      <input
        type="text"
        role="combobox"
        aria-label="Search"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length === 0 ? undefined : `${id}-${current}`}
        aria-autocomplete="list"
        placeholder="A page, an ID, a recipient, a member …"
        value={text}
        maxLength={300}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className={inputClass}
      />
      <Options id={id} choices={choices} current={current} onPoint={setAt} onChoose={choose} />
      <p role="status" className="mt-2 text-sm text-soft">
        {isSearching ? 'Searching …' : `${choices.length} ${choices.length === 1 ? 'result' : 'results'}`}
      </p>
    </Dialog>
  );
}

interface OptionsProps {
  id: string;
  choices: readonly Choice[];
  current: number;
  onPoint: (index: number) => void;
  onChoose: (choice: Choice) => void;
}

function Options({ id, choices, current, onPoint, onChoose }: OptionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of a combobox
    <ul ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className="mt-3 h-80 overflow-y-auto">
      {choices.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
        <li
          key={choice.key}
          id={`${id}-${index}`}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of a combobox
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onClick={() => onChoose(choice)}
          onPointerMove={() => onPoint(index)}
          className="flex cursor-pointer items-baseline justify-between gap-4 rounded-lg px-3 py-2 aria-selected:bg-accent-wash aria-selected:text-accent"
        >
          <span className="min-w-0 wrap-anywhere">
            {choice.label}
            {choice.detail !== undefined && (
              <span className="block text-sm text-soft tabular-nums">{choice.detail}</span>
            )}
          </span>
          <span className="shrink-0 text-sm text-soft">{choice.kind}</span>
        </li>
      ))}
    </ul>
  );
}
