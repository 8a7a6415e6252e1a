/** How a language writes values. */
export interface Syntax {
  /** Before each line of an object or a list. */
  indent: string;
  /** Inside of the braces of an object on one line. */
  padding: string;
  /** After the last line of an object or a list. */
  end: '' | ',';
  key: (name: string) => string;
  scalar: (value: unknown) => string;
}

/** Wider lines would leave the window of a sample. */
const LINE_LENGTH = 70;

/**
 * Writes a JSON value in a language: on one line if it fits, otherwise a line for each part.
 *
 * @param indent of the line
 * @param name what stands before the value, with the space after it
 */
export function writeValue(value: unknown, syntax: Syntax, indent = '', name = ''): string {
  if (typeof value !== 'object' || value === null) return name + syntax.scalar(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const inner = indent + syntax.indent;
  const parts = isList
    ? value.map((item) => writeValue(item, syntax, inner))
    : Object.entries(value).map(([key, item]) => writeValue(item, syntax, inner, `${syntax.key(key)}: `));
  const padding = isList ? '' : syntax.padding;
  const line = `${name}${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= LINE_LENGTH) return line;
  const lines = parts.map((part) => inner + part);
  return `${name}${open}\n${lines.join(',\n')}${syntax.end}\n${indent}${close}`;
}

const JSON_SYNTAX: Syntax = {
  indent: '  ',
  padding: ' ',
  end: '',
  key: (name) => JSON.stringify(name),
  scalar: (value) => JSON.stringify(value),
};

/** Writes JSON with short objects on one line. @param indent of the line */
export const writeJson = (value: unknown, indent = ''): string => writeValue(value, JSON_SYNTAX, indent);
