// biome-ignore lint/suspicious/noControlCharactersInRegex: damaged files have them
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Finds signs of a file that was read wrong, which the server would take.
 *
 * @param isLong whether the column may have several lines
 * @param isText whether the column has words that people write
 */
export function faultOfText<Name extends string>(
  cells: Partial<Record<Name, string>>,
  isLong: (column: Name) => boolean,
  isText: (column: Name) => boolean,
): { column: Name; message: string } | undefined {
  for (const [column, text] of Object.entries(cells) as [Name, string][]) {
    if (text.includes('\ufffd'))
      return { column, message: 'The sign � stands for letters that were lost. Write the text again.' };
    if (CONTROL.test(text))
      return { column, message: 'This has a character that cannot be seen. Write the text again.' };
    if (!isLong(column) && /[\r\n]/.test(text)) return { column, message: 'Write this on one line.' };
    if (isText(column) && /^(?:true|false)$/i.test(text))
      return { column, message: 'This looks like a checkbox, not like a text. Write the text.' };
  }
  return undefined;
}
