import { DownloadIcon } from '@radix-ui/react-icons';
import { servicePath } from '../address.ts';
import { buttonClass } from './button.tsx';

interface ExportLinkProps {
  /** Of the export, such as `/portal/api/organizations/…/gifts/export`. */
  href: string;
  /** What the list is filtered by. */
  query: Record<string, string | undefined>;
}

/** Downloads the list as it is filtered, all its pages. */
export function ExportLink({ href, query }: ExportLinkProps) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  return (
    <a href={`${servicePath}${href}?${new URLSearchParams(given)}`} download className={buttonClass()}>
      <DownloadIcon aria-hidden /> Export CSV
    </a>
  );
}
