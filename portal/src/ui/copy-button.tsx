import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { useEffect, useState } from 'react';
import { buttonClass } from './button.tsx';

const SHOWN_MS = 2_000;

/** Copies a text, and says that it did. @param label what is copied: “Copy key” */
export function CopyButton({ text, label, isIconOnly = false }: { text: string; label: string; isIconOnly?: boolean }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <button
      type="button"
      onClick={() => void copy()}
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
