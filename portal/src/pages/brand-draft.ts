import { queryOptions } from '@tanstack/react-query';
import { api, ORGANIZATION_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';

export type Brand = components['schemas']['Brand'];

export const texts = ['color', 'text_color', 'sender_name', 'subject', 'reply_to', 'footer'] as const;
export type BrandDraft = Record<(typeof texts)[number], string>;

export const draftOf = (brand: Brand): BrandDraft =>
  Object.fromEntries(texts.map((name) => [name, brand[name] ?? ''])) as BrandDraft;

/** The texts that differ from the saved ones. */
export const changesOf = (brand: Brand, draft: BrandDraft): Partial<BrandDraft> =>
  Object.fromEntries(texts.filter((name) => draft[name] !== draftOf(brand)[name]).map((name) => [name, draft[name]]));

/** Empty texts become null. */
export const inputOf = (draft: BrandDraft) =>
  Object.fromEntries(texts.map((name) => [name, draft[name].trim() || null])) as Record<
    keyof BrandDraft,
    string | null
  >;

export const brandQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['brand', organizationId],
    queryFn: () =>
      unwrap(api.GET(`${ORGANIZATION_PATH}/brand`, { params: { path: { organization_id: organizationId } } })),
  });
