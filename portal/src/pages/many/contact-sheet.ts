import type { Sheet } from 'bestow-readers/table.ts';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { Contact } from '../../api/contacts.ts';
import type { Language } from '../../ui/languages.ts';
import type { CheckedFile, Path } from './check.ts';

/** As many as a batch may have. */
const MOST_CONTACTS = 10_000;
const PAGE = 100;

/** Contacts as the rows of a file. A file has no languages, so they stand beside the cells, by line. */
interface ContactSheet extends Sheet {
  languages: Readonly<Record<number, Language>>;
}

const headings = ['Email', 'Phone', 'Name'];

const lineOf = (number: number, cells: string[]) => ({ number, cells, isHidden: false, doubt: undefined });

function sheetOf(contacts: readonly Contact[]): ContactSheet {
  const rows = contacts.map(({ delivery, name }, index) =>
    lineOf(index + 1, [delivery.email ?? '', delivery.phone ?? '', name ?? '']),
  );
  const languages = contacts.flatMap(({ language }, index) =>
    language === null ? [] : [[index + 1, language as Language] as const],
  );
  return {
    name: '',
    lines: [lineOf(0, headings), ...rows],
    hiddenColumns: [],
    languages: Object.fromEntries(languages),
  };
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
): Promise<ContactSheet> {
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

/** Gives each gift the language of its contact; the rows of a file stay as they are. */
export function withLanguages(checked: CheckedFile, [sheet]: readonly (Sheet | ContactSheet)[] = []): CheckedFile {
  if (sheet === undefined || !('languages' in sheet)) return checked;
  const { languages } = sheet;
  const rows = checked.rows.map((row) => {
    const language = languages[row.line];
    return row.gift === undefined || language === undefined ? row : { ...row, gift: { ...row.gift, language } };
  });
  return { ...checked, rows };
}
