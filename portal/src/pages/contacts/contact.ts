import type { operations } from '../../api/schema.d.ts';
import { formatDay, formatDayOfYear } from '../../ui/formats.ts';

export { addressOf, type Contact, useTags } from '../../api/contacts.ts';
export type ContactToSave = operations['addContact']['requestBody']['content']['application/json'];

/** @param day `YYYY-MM-DD` or `MM-DD` */
export const dayText = (day: string | null): string =>
  day === null ? '' : day.length === 5 ? formatDayOfYear(day) : formatDay(day);

/** A tag in quotation marks, or up to the next separator; Google separates values with three colons. */
const TAG = /\s*(?:"((?:[^"]|"")*)"\s*(?=$|[;,]| ::: )|((?:(?! ::: )[^;,])*))(?:[;,]| ::: |$)/gy;

/** Tags as a person or a file writes them in one field. A tag with a separator is in quotation marks. */
export function readTags(text: string, isTag: (unquoted: string) => boolean = () => true): string[] {
  const tags = [...text.matchAll(TAG)].map(([, quoted, plain = '']) =>
    quoted === undefined ? [plain.trim()].filter(isTag).join('') : quoted.replaceAll('""', '"').trim(),
  );
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
