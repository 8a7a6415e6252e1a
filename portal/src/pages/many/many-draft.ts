import type { Sheet } from 'bestow-readers/table.ts';
import { useScope } from '../../api/use-scope.ts';
import { isRecord, keepDraft, readDraft, removeDraft, useDraft } from '../../layout/drafts.ts';
import { noAnswers } from '../file/sheet-answers.ts';
import type { MarkScope } from '../gift-form/fill-message.ts';
import { newFormId } from '../gift-form/send-draft.ts';
import { type CheckedFile, newRow, type Row, sumOf } from './check.ts';
import { type Cells, createRowReader, type RowReader } from './columns.ts';
import { type MatchSetup, newSetup } from './prepare-rows.ts';

export type Sheets = readonly [Sheet, ...Sheet[]];

/**
 * What a person said about a file. It is small, so it is kept apart from the file and its rows, for which the browser may
 * have no room: a form that was sent is known even then.
 */
export interface ManyAnswers {
  /** A form makes one batch; other rows are another form. */
  formId: string;
  /** What was sent without an answer that says that nothing was bought; undefined if nothing was. */
  tried: { gifts: number; cents: number } | undefined;
  /** Of the file, or which contacts. */
  name: string;
  isOfContacts: boolean;
  setup: MatchSetup;
  /** Corrections that are not checked yet, by line. */
  edits: readonly (readonly [line: number, cells: Cells])[];
  acceptsDuplicates: boolean;
}

/** Of what is kept: an older portal may have kept another form. */
const VERSION = 1;

const newAnswers = (name = ''): ManyAnswers => ({
  formId: newFormId(),
  tried: undefined,
  name,
  isOfContacts: false,
  setup: newSetup,
  edits: [],
  acceptsDuplicates: false,
});

const versioned = (value: object | undefined) => ({ ...value, version: VERSION });
const isCurrent = (stored: unknown): stored is Record<string, unknown> =>
  isRecord(stored) && stored['version'] === VERSION;

function restoreAnswers(stored: unknown): ManyAnswers | undefined {
  if (!isCurrent(stored)) return undefined;
  const { version: _, ...answers } = stored;
  const kept = { ...newAnswers(), ...answers } as ManyAnswers;
  return { ...kept, setup: { ...newSetup, ...kept.setup, answers: { ...noAnswers, ...kept.setup.answers } } };
}

/** The rows and the form that they belong to. */
interface ManyRows {
  formId: string;
  checked: CheckedFile;
}

interface StoredRows extends Omit<CheckedFile, 'rows' | 'reader'> {
  formId: string;
  rows: (Omit<Row, 'cells'> & { cells?: Cells })[];
  reader: Pick<RowReader, 'rules' | 'categories'>;
}

/** Rows without a fault are kept as gifts, without the cells from which they were read. */
function storeRows(kept: ManyRows | undefined): unknown {
  if (kept === undefined) return undefined;
  const { rows, reader, ...file } = kept.checked;
  const stored: StoredRows = {
    formId: kept.formId,
    ...file,
    rows: rows.map(({ cells, ...row }) => (row.fault === undefined ? row : { ...row, cells })),
    reader: {
      rules: reader.rules,
      categories: reader.categories.map(({ category_id, name }) => ({ category_id, name })),
    },
  };
  return versioned(stored);
}

function restoreRows(stored: unknown, marks: MarkScope): ManyRows | undefined {
  if (!isCurrent(stored)) return undefined;
  const { formId, rows, reader, lines, leftOut, unused } = stored as unknown as StoredRows;
  return {
    formId,
    checked: {
      lines,
      leftOut,
      unused,
      rows: rows.map((row) => ({ ...newRow(row.line, row.cells ?? {}), ...row })),
      reader: createRowReader(marks, reader.rules, reader.categories),
    },
  };
}

const nothing = () => undefined;
const storeSheets = (sheets: Sheets | undefined) => versioned({ sheets });
const restoreSheets = (stored: unknown) => (isCurrent(stored) ? (stored['sheets'] as Sheets | undefined) : undefined);

/** A file of gifts from its choice to its sending, as the tab keeps it. */
export function useManyDraft(key: string) {
  const { marks } = useScope();
  const answers = useDraft(key, newAnswers, restoreAnswers, versioned);
  const file = useDraft(`${key}.file`, nothing, restoreSheets, storeSheets);
  const rows = useDraft(`${key}.rows`, nothing, (stored) => restoreRows(stored, marks), storeRows);
  const said = answers.value;
  const checked = rows.value?.formId === said.formId ? rows.value.checked : undefined;
  return {
    key,
    answers: said,
    sheets: file.value,
    checked,
    /** Whether the browser had room for all of it. */
    isKept: answers.isKept && file.isKept && rows.isKept,
    /** @param recalled the choices for an earlier file */
    open(name: string, sheets: Sheets, recalled?: Partial<MatchSetup>) {
      answers.set({ ...newAnswers(name), setup: { ...newSetup, ...recalled } });
      file.set(sheets);
      rows.restart(undefined);
    },
    openContacts(name: string, sheet: Sheet) {
      answers.set({ ...newAnswers(name), isOfContacts: true });
      file.set([sheet]);
      rows.restart(undefined);
    },
    /** The rows are to be read again. */
    setUp(setup: MatchSetup) {
      answers.set({ ...said, setup });
      if (rows.value !== undefined) rows.restart(undefined);
    },
    /** Other rows are another form. @param edits corrections that are not checked yet */
    check(next: CheckedFile, edits: ManyAnswers['edits'] = []) {
      const formId = newFormId();
      rows.set({ formId, checked: next });
      answers.set({ ...said, formId, edits, tried: undefined });
    },
    edit: (edits: ManyAnswers['edits']) => answers.set({ ...said, edits }),
    accept: (acceptsDuplicates: boolean) => answers.set({ ...said, acceptsDuplicates }),
    /** Remembers that the rows are sent, until an answer says that nothing was bought. */
    setTried(isTried: boolean) {
      const sent = checked?.rows ?? [];
      answers.set({ ...said, tried: isTried ? { gifts: sent.length, cents: sumOf(sent) } : undefined });
    },
    /** Goes on with the same rows as another form, once the earlier one can buy nothing any more. */
    renew() {
      const formId = newFormId();
      if (rows.value !== undefined) rows.set({ ...rows.value, formId });
      answers.set({ ...said, formId, tried: undefined });
    },
    discard() {
      answers.restart(newAnswers());
      file.restart(undefined);
      rows.restart(undefined);
    },
  };
}

export type ManyDraft = ReturnType<typeof useManyDraft>;

const isOf = (key: string, formId: string) => restoreAnswers(readDraft(key))?.formId === formId;

/** Forgets a form that was sent, also if its page was left; a newer one stays. */
export function removeSent(key: string, formId: string): void {
  if (isOf(key, formId)) for (const name of ['', '.file', '.rows']) removeDraft(key + name);
}

/** Notes that an answer says that nothing was bought, also if the page was left. */
export function keepUnsent(key: string, formId: string): void {
  const kept = restoreAnswers(readDraft(key));
  if (kept?.formId === formId) keepDraft(key, versioned({ ...kept, tried: undefined }));
}

/** Whether the tab still keeps the form. */
export const isKeptForm = isOf;
