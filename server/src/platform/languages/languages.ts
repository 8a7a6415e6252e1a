/** What recipients can read, by the name that they know it by. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  'pt-BR': 'Português (Brasil)',
  nl: 'Nederlands',
  pl: 'Polski',
  ja: '日本語',
  ar: 'العربية',
} as const;

/** A tag of BCP 47. */
export type Language = keyof typeof LANGUAGES;

export const languageTags = Object.keys(LANGUAGES) as [Language, ...Language[]];

export const isLanguage = (text: unknown): text is Language =>
  typeof text === 'string' && Object.hasOwn(LANGUAGES, text);

export const isRightToLeft = (language: Language): boolean => language === 'ar';

const MOST_RANGES = 20;

/** The language of a tag, such as `de-AT` or `pt`. */
function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  return languageTags.find((language) => language.toLowerCase().split('-')[0] === primary);
}

/**
 * Chooses the first language that there is.
 *
 * @param wishes most important first; other texts than our tags count as no wish
 * @param accepted the header `Accept-Language` (RFC 9110), if there is one
 */
export function chooseLanguage(wishes: readonly (string | null | undefined)[], accepted: string | undefined): Language {
  return wishes.find(isLanguage) ?? acceptedLanguage(accepted ?? '') ?? 'en';
}

function acceptedLanguage(header: string): Language | undefined {
  return header
    .split(',', MOST_RANGES)
    .map((range) => {
      const [tag = '', quality] = range.trim().split(/\s*;\s*q=/);
      return { language: languageOf(tag), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .sort((one, other) => other.quality - one.quality)[0]?.language;
}
