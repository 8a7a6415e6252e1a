import type { Sheet } from 'bestow-readers/table.ts';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { Contact } from '../../api/contacts.ts';
import type { Path } from './check.ts';

/** As many as a batch may have. */
const MOST_CONTACTS = 10_000;
const PAGE = 100;

const headings = ['Email', 'Phone', 'Name', 'Language'];

const lineOf = (number: number, cells: string[]) => ({ number, cells, isHidden: false, doubt: undefined });

/** Contacts as the rows of a file. */
function sheetOf(contacts: readonly Contact[]): Sheet {
  const rows = contacts.map(({ delivery, name, language }, index) =>
    lineOf(index + 1, [delivery.email ?? '', delivery.phone ?? '', name ?? '', language ?? '']),
  );
  return { name: '', lines: [lineOf(0, headings), ...rows], hiddenColumns: [] };
}

/**
 * Reads the contacts with a tag, or all, page by page. Later changes of a contact do not change the rows.
 *
 * @param onProgress is told how many are read
 * @throws Error with a sentence for people, if there are none or too many
 */
export async function readContactSheet(
  path: Path,
  tag: string | undefined,
  onProgress: (read: number) => void,
): Promise<Sheet> {
  const contacts: Contact[] = [];
  let after: string | undefined;
  do {
    const query = { limit: PAGE, ...(tag !== undefined && { tag }), ...(after !== undefined && { after }) };
    const page = await unwrap(api.GET(`${SCOPE_PATH}/contacts`, { params: { path, query } }));
    contacts.push(...page.data);
    onProgress(contacts.length);
    after = page.older ?? undefined;
    if (contacts.length > MOST_CONTACTS || (contacts.length === MOST_CONTACTS && after !== undefined))
      throw new Error('There are more than 10,000 contacts. Choose a tag that fewer of them have.');
  } while (after !== undefined);
  if (contacts.length === 0) throw new Error('There are no such contacts.');
  return sheetOf(contacts);
}
