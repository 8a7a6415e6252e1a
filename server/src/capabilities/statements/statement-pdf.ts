import type { Readable } from 'node:stream';
import { findLogo } from '../../core/face/set-logo.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import type { Language } from '../../platform/languages/languages.ts';
import { wordsOf } from '../../platform/languages/words.ts';
import { Sheet } from '../../platform/print/sheet.ts';
import type { CheckpointDeps } from '../seals/checkpoint-keys.ts';
import { openStatement } from './ledger-statement.ts';
import { type DrawnStatement, drawSections, MARGIN } from './statement-sections.ts';

/** More entries are only summed; the JSON file has all. */
const MAX_ENTRIES = 1_000;

/** Sums the entries of a statement by kind, and reads them if they are not too many. */
async function readStatement(
  deps: Pick<CheckpointDeps, 'checkpointKeys' | 'clock' | 'config' | 'database'>,
  caller: Caller,
  month: string,
): Promise<DrawnStatement> {
  const { head, pages, sums: sum, close } = await openStatement(deps, caller, month);
  const sums = await sum();
  const total = (of: 'count' | 'cents') => sums.reduce((all, each) => all + each[of], 0);
  const isTooLong = total('count') > MAX_ENTRIES;
  const entries: DrawnStatement['entries'] = [];
  if (!isTooLong) for await (const texts of pages()) entries.push(...texts.map((text) => JSON.parse(text)));
  return { ...head, ...(await close(total('count'), total('cents'))), sums, isTooLong, entries };
}

/**
 * Draws the signed statement of a month for people: summary, entries and proof.
 *
 * @throws BestowError as `openStatement`
 */
export async function drawStatement(
  deps: Pick<CheckpointDeps, 'checkpointKeys' | 'clock' | 'config' | 'database'>,
  caller: Caller,
  { month, organizationName, language }: { month: string; organizationName: string; language: Language },
): Promise<Readable> {
  const statement = await readStatement(deps, caller, month);
  // Loaded at the first statement: the library takes 60 ms.
  const { default: PdfDocument } = await import('pdfkit');
  const created = new Date(deps.clock.now());
  const info = { Title: `Statement ${month}`, CreationDate: created, ModDate: created };
  const document = new PdfDocument({ size: 'A4', margin: MARGIN, info, lang: language, bufferPages: true });
  const words = wordsOf(language);
  await drawSections(new Sheet(document, words), words, statement, {
    organizationName,
    keyId: deps.checkpointKeys.current.keyId,
    logo: await findLogo(deps, caller.organizationId),
  });
  document.end();
  return document as unknown as Readable;
}
