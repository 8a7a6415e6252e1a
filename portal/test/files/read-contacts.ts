import type { Encoding } from 'bestow-readers/decode.ts';
import { openFile } from 'bestow-readers/read-file.ts';
import { readRows } from '../../src/pages/contacts/check-contacts.ts';
import { contactHeadings } from '../../src/pages/contacts/contact-headings.ts';
import { prepareContacts } from '../../src/pages/contacts/prepare-contacts.ts';
import { type Answers, noAnswers } from '../../src/pages/file/sheet-answers.ts';

/** What the page makes of a file of contacts, as far as the browser goes. */
interface ReadContacts {
  /** What a person has to say, one after the other. */
  questions: string[];
  contacts: string[];
  /** Line and column. */
  marks: string[];
  leftOut: string[];
  unused: string[];
  /** Lines of people who have left. */
  left: number[];
}

export interface ContactAnswers extends Partial<Answers> {
  encoding?: Encoding;
}

/**
 * Reads a file of contacts as the page does, with the same functions.
 *
 * @param given answers of a person; an open question ends the reading
 * @throws TableError with the sentence for the person
 */
export async function readContacts(bytes: Uint8Array, given: ContactAnswers = {}): Promise<ReadContacts> {
  const { encoding, ...chosen } = given;
  const none: ReadContacts = { questions: [], contacts: [], marks: [], leftOut: [], unused: [], left: [] };
  const opened = await openFile(bytes, contactHeadings.isKnown, encoding);
  if ('readings' in opened) return { ...none, questions: ['Which words are right?'] };
  const answers = { ...noAnswers, ...chosen };
  const { read, rows, habits, unused, question } = prepareContacts(opened.sheets, { answers, matching: undefined });
  if (question !== undefined) return { ...none, questions: [question] };
  const found = readRows(rows, habits.dayOrder ?? answers.dayOrder ?? 'day first');
  return {
    questions: [],
    contacts: found.flatMap(({ line, contact, hasLeft: left }) =>
      contact === undefined || left ? [] : `${line} ${inWords(contact)}`,
    ),
    marks: found.flatMap(({ line, fault }) => (fault === undefined ? [] : `${line} ${fault.column}`)),
    leftOut: read.leftOut.map(({ line, why }) => `${line} ${why}`),
    unused,
    left: found.filter(({ hasLeft }) => hasLeft).map(({ line }) => line),
  };
}

type Contact = NonNullable<ReturnType<typeof readRows>[number]['contact']>;

function inWords({ delivery, name, language, tags = [], external_id, birthday, work_anniversary }: Contact): string {
  return [
    delivery.method === 'email' ? delivery.email : delivery.phone,
    name && `“${name}”`,
    language,
    ...tags.map((tag) => `#${tag}`),
    external_id && `ref ${external_id}`,
    birthday && `born ${birthday}`,
    work_anniversary && `since ${work_anniversary}`,
  ]
    .filter(Boolean)
    .join(' ');
}
