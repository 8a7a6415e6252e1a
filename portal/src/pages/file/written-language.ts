import { plainHeading } from 'bestow-readers/table.ts';
import { type Language, languageChoices } from '../../ui/languages.ts';

/** What is said of a text that is not one of the ten languages. */
export const NO_LANGUAGE = 'Enter one of the ten languages, such as de or German.';

const tags = languageChoices('').flatMap(({ value }) => (value === '' ? [] : value));
const primaryOf = (tag: string) => tag.split('-')[0] ?? '';

let byName: ReadonlyMap<string, Language> | undefined;

/** The languages by their names in each of them, such as `German`, `Deutsch` and `allemand`. */
function namesOfLanguages(): ReadonlyMap<string, Language> {
  const names = new Map<string, Language>();
  for (const reader of tags) {
    const written = new Intl.DisplayNames(reader, { type: 'language' });
    for (const language of tags)
      for (const tag of [language, primaryOf(language)]) names.set(plainHeading(written.of(tag) ?? tag), language);
  }
  return names;
}

const TAG = /^([a-z]{2,3})(?:[-_][a-z0-9]+)*(?:\.[a-z0-9-]+)?$/i;

/**
 * Finds one of the ten languages by a tag, such as `de`, `en-US` or `de_DE.UTF-8`, or by its name in one of them,
 * such as `English (United States)`.
 */
export function languageOf(text: string): Language | undefined {
  byName ??= namesOfLanguages();
  const [language = ''] = text.split('(');
  const named = byName.get(plainHeading(text)) ?? byName.get(plainHeading(language));
  if (named !== undefined) return named;
  const [, primary] = TAG.exec(text.trim()) ?? [];
  if (primary === undefined) return undefined;
  // Some programs write three letters, such as `deu`.
  const [canonical = ''] = Intl.getCanonicalLocales(primary);
  return tags.find((language) => primaryOf(language) === canonical);
}
