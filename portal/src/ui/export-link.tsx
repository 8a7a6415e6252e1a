import type { MouseEvent } from 'react';
import { api, unwrap } from '../api/client.ts';
import { servicePath } from '../base/address.ts';
import { buttonClass } from './button.tsx';
import { DownloadIcon } from './icons.tsx';
import { useToast } from './toast.tsx';

interface ExportLinkProps {
  /** Such as `/portal/api/organizations/…/gifts.csv`. */
  href: string;
  /** The list's filters. */
  query: Record<string, string | undefined>;
  /** The file has addresses, so it needs a fresh sign-in. */
  isGuarded?: boolean;
  label?: string;
}

/** Downloads a file after a fresh sign-in. */
export async function downloadConfirmed(address: string): Promise<void> {
  await unwrap(api.GET('/portal/api/fresh-sign-in'));
  window.location.assign(address);
}

/** Downloads all pages of the filtered list. */
export function ExportLink({ href, query, isGuarded = false, label = 'Export CSV' }: ExportLinkProps) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const address = `${servicePath}${href}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
  const showToast = useToast();
  const confirmFirst = (event: MouseEvent) => {
    event.preventDefault();
    downloadConfirmed(address).catch((error: Error) => showToast(error.message));
  };
  return (
    <a href={address} download className={buttonClass()} onClick={isGuarded ? confirmFirst : undefined}>
      <DownloadIcon /> {label}
    </a>
  );
}
