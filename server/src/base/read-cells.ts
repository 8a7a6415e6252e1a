/**
 * Splits CSV (RFC 4180) into lines of cells. The separator is the comma, the semicolon or the tab that comes first. Skips a
 * byte order mark.
 */
export function readCells(marked: string): string[][] {
  const text = marked.replace(/^\uFEFF/, '');
  const separator = /[,;\t]/.exec(text)?.[0] ?? ',';
  const lines: string[][] = [];
  let [line, cell, isQuoted] = [[] as string[], '', false];
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] as string;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[index + 1] === '"') {
        cell += letter;
        index += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) {
      line.push(cell);
      cell = '';
    } else if (letter === '\n') {
      lines.push([...line, cell]);
      [line, cell] = [[], ''];
    } else if (letter !== '\r') cell += letter;
  }
  if (cell !== '' || line.length > 0) lines.push([...line, cell]);
  return lines;
}
