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

/** Tags as a person writes them in one field. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(/[;,]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

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
