import type { operations } from '../../api/schema.d.ts';
import { formatDay, formatDayOfYear } from '../../ui/formats.ts';

export { addressOf, type Contact, useTags } from '../../api/contacts.ts';
export type ContactToSave = operations['addContact']['requestBody']['content']['application/json'];

/** @param day `YYYY-MM-DD` or `MM-DD` */
export const dayText = (day: string | null): string =>
  day === null ? '' : day.length === 5 ? formatDayOfYear(day) : formatDay(day);

/** Tags as a person writes them in one field. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(/[;,]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
