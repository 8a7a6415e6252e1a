import type { Readable } from 'node:stream';
import type { Caller } from '../../platform/authentication/caller.ts';
import type { Language } from '../../platform/languages/languages.ts';
import { wordsOf } from '../../platform/languages/words.ts';
import { Sheet } from '../../platform/print/sheet.ts';
import { findLogo } from '../brands/set-logo.ts';
import type { CheckpointDeps } from '../seals/checkpoint-keys.ts';
import { openStatement } from './ledger-statement.ts';
import { type DrawnStatement, drawSections, MARGIN } from './statement-sections.ts';

/** More entries are only summed; the JSON file has all. */
const MAX_ENTRIES = 1_000;

/** Reads the entries of a statement, and sums them by kind. */
async function readStatement(
  deps: Pick<CheckpointDeps, 'checkpointKeys' | 'clock' | 'config' | 'database'>,
  caller: Caller,
  month: string,
): Promise<DrawnStatement> {
  const { head, pages, close } = await openStatement(deps, caller, month);
  const entries: DrawnStatement['entries'] = [];
  const sums: DrawnStatement['sums'] = new Map();
  let [count, cents] = [0, 0];
  for await (const texts of pages())
    for (const entry of texts.map((text) => JSON.parse(text) as DrawnStatement['entries'][number])) {
      const sum = sums.get(entry.kind) ?? { count: 0, cents: 0 };
      sums.set(entry.kind, { count: sum.count + 1, cents: sum.cents + entry.amount });
      if (count < MAX_ENTRIES) entries.push(entry);
      [count, cents] = [count + 1, cents + entry.amount];
    }
  const isTooLong = count > MAX_ENTRIES;
  return { ...head, ...(await close(count, cents)), sums, isTooLong, entries: isTooLong ? [] : entries };
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
