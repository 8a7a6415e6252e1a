import type { components } from '../api/schema.d.ts';

/** What recipients can read. */
export type Language = NonNullable<components['schemas']['Program']['language']>;

const names = new Intl.DisplayNames('en', { type: 'language' });

/** Such as `German` of `de`. */
export const languageName = (tag: string): string => names.of(tag) ?? tag;

const tags: Record<Language, true> = {
  en: true,
  de: true,
  fr: true,
  es: true,
  it: true,
  'pt-BR': true,
  nl: true,
  pl: true,
  ja: true,
  ar: true,
};

/** Choices of a field, after one for no choice. */
export const languageChoices = (none: string): { value: Language | ''; label: string }[] => [
  { value: '', label: none },
  ...(Object.keys(tags) as Language[]).map((value) => ({ value, label: languageName(value) })),
];
