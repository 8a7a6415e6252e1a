import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components, operations } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { formatDay, formatDayOfYear } from '../../ui/formats.ts';

export type Contact = components['schemas']['Contact'];
export type ContactToSave = operations['addContact']['requestBody']['content']['application/json'];

export const addressOf = ({ delivery }: Pick<Contact, 'delivery'>): string => delivery.email ?? delivery.phone ?? '';

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

/** The tags of the contacts, most used first. */
export function useTags() {
  const { path, may } = useScope();
  const tags = useQuery({
    queryKey: ['contacts', path, 'tags'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/contacts/tags`, { params: { path } })),
    enabled: may('order', 'request'),
  });
  return tags.data?.data ?? [];
}
