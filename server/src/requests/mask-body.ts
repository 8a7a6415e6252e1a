import { maskFieldName, maskText } from './mask-text.ts';

const MAX_CHARACTERS = 4_000;
const MAX_DEPTH = 20;
const CUT = '"…"';

/** Fields with values of the API, and their pattern. Every other text is masked. */
const WORD_FIELDS = new Set(['method', 'category', 'outcome']);
const WORD = /^(?!.{0,62}[0-9]{7})[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Masks a request's body: at most about 4,000 characters of JSON, with `…` for omitted parts. Uses an allow-list, because
 * personal data may be in misnamed fields.
 *
 * @param mailDomain the sandbox's, whose addresses belong to no person
 */
export function maskBody(body: unknown, mailDomain: string): string {
  let room = MAX_CHARACTERS;

  const spend = (text: string): string => {
    room -= text.length + 1;
    return text;
  };

  function scalar(value: unknown, field: string): string {
    if (typeof value === 'string') {
      const isWord = WORD_FIELDS.has(field) && WORD.test(value);
      return JSON.stringify(isWord ? value : maskText(value, mailDomain));
    }
    // A phone number may be sent as a number.
    if (typeof value === 'number') {
      const text = String(value);
      const masked = maskText(text, mailDomain);
      return masked === text ? text : JSON.stringify(masked);
    }
    return JSON.stringify(value);
  }

  function list(values: readonly unknown[], field: string, depth: number): string {
    const parts: string[] = [];
    for (const value of values) {
      if (room <= 0) {
        parts.push(CUT);
        break;
      }
      parts.push(any(value, field, depth));
    }
    return `[${parts.join(',')}]`;
  }

  function object(value: object, depth: number): string {
    const parts: string[] = [];
    for (const name in value) {
      if (room <= 0) {
        parts.push(`${CUT}:${CUT}`);
        break;
      }
      const shownName = spend(JSON.stringify(maskFieldName(name, mailDomain)));
      parts.push(`${shownName}:${any(value[name as keyof typeof value], name, depth)}`);
    }
    return `{${parts.join(',')}}`;
  }

  function any(value: unknown, field: string, depth: number): string {
    if (typeof value !== 'object' || value === null) return spend(scalar(value, field));
    room -= 2;
    if (depth === MAX_DEPTH) return CUT;
    return Array.isArray(value) ? list(value, field, depth + 1) : object(value, depth + 1);
  }

  return any(body, '', 0);
}
