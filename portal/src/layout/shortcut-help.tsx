import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { usePages } from './plan.ts';
import { areKeysOn, KEYS_STORED } from './shortcut-keys.ts';

const general = [
  ['c', 'Send a gift'],
  ['Ctrl K', 'Search for anything'],
  ['/', 'Search the list on this page'],
  ['?', 'Show these shortcuts'],
] as const;

/** Every shortcut, and a switch for those of one key. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(areKeysOn);
  const pages = usePages();
  const change = (on: boolean) => {
    turnKeys(on);
    setIsOn(on);
  };
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <label className="flex items-center gap-2.5">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => change(target.checked)}
          className="size-4 accent-(--accent)"
        />
        Use single keys on this device
      </label>
      <dl className="mt-5 grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {[...general, ...pages.flatMap((page) => ('key' in page ? [[`g ${page.key}`, page.label] as const] : []))].map(
          ([keys, label]) => (
            <div key={keys} className="flex items-baseline justify-between gap-3">
              <dt>{label}</dt>
              <dd className="flex gap-1">
                {keys.split(' ').map((key) => (
                  <kbd
                    key={key}
                    className="rounded-md border border-line-strong bg-sunken px-1.5 font-mono text-[0.8125rem] leading-5"
                  >
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  );
}

function turnKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEYS_STORED);
    else localStorage.setItem(KEYS_STORED, 'off');
  } catch {
    // Without storage the keys stay on.
  }
}
