/** The ten languages of the portal. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'ja', 'ar'];
/** A short form of a month, such as `sept`, has at least these letters. */
const LEAST_LETTERS = 3;

const plainWord = (word: string) =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();

let names: [name: string, month: number][] | undefined;

/** The months as the ten languages write them: alone, and beside a day, which is another form in Polish. */
function monthNames(): [name: string, month: number][] {
  return languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) =>
      [{ month }, { month, day: 'numeric' } as const].flatMap((parts) => {
        const format = new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC', calendar: 'gregory' });
        return Array.from({ length: 12 }, (_, index): [string, number] => {
          const found = format.formatToParts(Date.UTC(2000, index, 1)).find(({ type }) => type === 'month');
          return [plainWord(found?.value ?? ''), index + 1];
        });
      }),
    ),
  );
}

/** Reads a month in words, such as `Dezember` or `déc.`; undefined for another word, or for one of two months. */
export function monthOf(word: string): number | undefined {
  names ??= monthNames().filter(([name]) => /\p{L}/u.test(name));
  const plain = plainWord(word);
  const isShort = plain.length >= LEAST_LETTERS;
  const found = new Set(names.filter(([name]) => name === plain).map(([, month]) => month));
  if (found.size === 0 && isShort) for (const [name, month] of names) if (name.startsWith(plain)) found.add(month);
  const [month] = found;
  return found.size === 1 ? month : undefined;
}
