import { queryOptions } from '@tanstack/react-query';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';

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

const COLOR = /^#[0-9a-f]{6}$/i;

export const isColor = (text: string): boolean => COLOR.test(text.trim());

/** Why a color is not shown or saved. */
export function colorFault(draft: BrandDraft, name: 'color' | 'text_color'): string | undefined {
  const [own, other] = [draft[name], draft[name === 'color' ? 'text_color' : 'color']].map((text) => text.trim());
  if (own === '') return other === '' ? undefined : 'Set both colors or neither.';
  return isColor(draft[name]) ? undefined : 'A color has six digits after #, such as #1f5fa8.';
}

export const brandQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['brand', organizationId],
    queryFn: () =>
      unwrap(api.GET(`${ORGANIZATION_PATH}/brand`, { params: { path: { organization_id: organizationId } } })),
  });
