import { DownloadIcon } from '@radix-ui/react-icons';
import { servicePath } from '../address.ts';
import { buttonClass } from './button.tsx';

interface ExportLinkProps {
  /** Such as `/portal/api/organizations/…/gifts.csv`. */
  href: string;
  /** The list's filters. */
  query: Record<string, string | undefined>;
}

/** Downloads all pages of the filtered list. */
export function ExportLink({ href, query }: ExportLinkProps) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return (
    <a href={`${servicePath}${href}?${new URLSearchParams(given)}`} download className={buttonClass()}>
      <DownloadIcon aria-hidden /> Export CSV
    </a>
  );
}
