import { CaretDownIcon } from '@radix-ui/react-icons';

export const accountButtonClass =
  'inline-flex min-w-0 items-center gap-1.5 rounded-full px-3 py-1.5 text-sm font-semibold hover:bg-[rgb(120_90_90/0.14)]';

export function AccountButtonText({ name }: { name: string }) {
  return (
    <>
      <span className="truncate">{name}</span>
      <CaretDownIcon aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">: account and organizations</span>
    </>
  );
}
