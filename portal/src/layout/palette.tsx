import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { inputClass } from '../ui/field.tsx';
import { OptionList, stepBy } from '../ui/option-list.tsx';
import { type Choice, useChoices } from './palette-choices.ts';

interface PaletteProps {
  onClose: () => void;
  onHelp: () => void;
}

/** Finds pages, ids, recipients, contacts, members and documentation. A combobox: the focus stays in the field. */
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
    if (stepBy(event, { current, count: choices.length }, setAt)) return;
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
        placeholder="A page, an ID, a person, a tag …"
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
      <OptionList
        id={id}
        label="Results"
        options={choices}
        current={current}
        onPoint={setAt}
        onChoose={choose}
        className="mt-3 h-80"
      />
      <p role="status" className="mt-2 text-sm text-soft">
        {isSearching ? 'Searching …' : `${choices.length} ${choices.length === 1 ? 'result' : 'results'}`}
      </p>
    </Dialog>
  );
}
