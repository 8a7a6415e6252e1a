import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { useEffect, useState } from 'react';
import { buttonClass } from './button.tsx';
import { useToast } from './toast.tsx';

const SHOWN_MS = 2_000;

/** Copies a text and shows whether it worked. @param label names the text: “Copy key” */
export function CopyButton({ text, label, isIconOnly = false }: { text: string; label: string; isIconOnly?: boolean }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const showToast = useToast();
  const copy = async (button: HTMLElement) => {
    if (await copyText(text, button)) setIsCopied(true);
    else showToast('Could not copy. Select the text and copy it yourself.');
  };
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => void copy(currentTarget)}
      aria-label={isIconOnly ? label : undefined}
      title={isIconOnly ? label : undefined}
      className={
        isIconOnly
          ? 'relative z-10 inline-flex rounded-md p-1.5 align-middle text-soft hover:bg-sunken hover:text-ink'
          : buttonClass({ size: 'small' })
      }
    >
      {isCopied ? <CheckIcon aria-hidden className="size-4" /> : <CopyIcon aria-hidden className="size-4" />}
      {!isIconOnly && (isCopied ? 'Copied' : label)}
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  );
}

/**
 * Returns whether the text was copied. Over plain HTTP browsers have no `navigator.clipboard`, but copy a selection.
 *
 * @param button the selected field goes next to it, because a dialog blocks the focus of elements outside
 */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  if (window.isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'sr-only';
  button.after(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  return isCopied;
}
