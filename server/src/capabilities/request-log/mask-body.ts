import { maskFieldName, maskText } from './mask-text.ts';

const MAX_CHARACTERS = 4_000;
const MAX_DEPTH = 20;
const CUT = '"…"';

/** Fields with values of the API, and their pattern. Every other text is masked. */
const WORD_FIELDS = new Set(['method', 'category', 'outcome']);
const WORD = /^(?!.{0,62}[0-9]{7})[a-z0-9][a-z0-9_-]{0,62}$/;

/** An answer has more words and times of ours. What a caller has named is masked in it, also short numbers, which a code may be. */
const ANSWER_WORD_FIELDS = new Set([...WORD_FIELDS, 'status', 'environment', 'kind', 'state']);
const CALLERS_FIELDS = new Set(['metadata', 'personalization']);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;
const ONLY_NUMBER = /^[+-]?[0-9.,]+$/;

type MaskString = (text: string, field: string, isCallers: boolean) => string;

/**
 * Masks a request's body: at most about 4,000 characters of JSON, with `…` for omitted parts. Uses an allow-list, because
 * personal data may be in misnamed fields.
 *
 * @param mailDomain the sandbox's, whose addresses belong to no person
 */
export const maskBody = (body: unknown, mailDomain: string): string =>
  maskJson(body, mailDomain, (text, field) =>
    WORD_FIELDS.has(field) && WORD.test(text) ? text : maskText(text, mailDomain),
  );

/** The methods of MCP, and words that a tool could be named. */
const MESSAGE_METHOD = /^(?:initialize|ping|[a-z]{1,20}\/[a-zA-Z_]{1,30}(?:\/[a-z_]{1,30})?)$/;
const OF_AGENTS = /^\/mcp\/?$/;
const TOOL_NAME = /^[a-z][a-z_]{0,62}$/;

/** Masks what was sent to this route: of a message to `/mcp`, the method and the name of the tool stay. */
export function maskRequest(pattern: string | undefined, body: unknown, mailDomain: string): string {
  if (!OF_AGENTS.test(pattern ?? '')) return maskBody(body, mailDomain);
  const words = new Set([body].flat().flatMap(wordsOfMessage));
  return maskJson(body, mailDomain, (text, field) =>
    words.has(`${field} ${text}`) || (WORD_FIELDS.has(field) && WORD.test(text)) ? text : maskText(text, mailDomain),
  );
}

function wordsOfMessage(message: unknown): string[] {
  const { method, params } = Object(message);
  const { name } = Object(params);
  return [
    ...(typeof method === 'string' && MESSAGE_METHOD.test(method) ? [`method ${method}`] : []),
    ...(method === 'tools/call' && typeof name === 'string' && TOOL_NAME.test(name) ? [`name ${name}`] : []),
  ];
}

/** Masks an answer in the same way: its ids, words, times and amounts stay. */
export const maskAnswer = (answer: unknown, mailDomain: string): string =>
  maskJson(answer, mailDomain, (text, field, isCallers) => {
    if (!isCallers && ((ANSWER_WORD_FIELDS.has(field) && WORD.test(text)) || TIME.test(text))) return text;
    return ONLY_NUMBER.test(text) ? '•••' : maskText(text, mailDomain);
  });

function maskJson(body: unknown, mailDomain: string, maskString: MaskString): string {
  let isCallers = false;
  let room = MAX_CHARACTERS;

  const spend = (text: string): string => {
    room -= text.length + 1;
    return text;
  };

  function scalar(value: unknown, field: string): string {
    if (typeof value === 'string') return JSON.stringify(maskString(value, field, isCallers));
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
      const wasCallers = isCallers;
      isCallers ||= CALLERS_FIELDS.has(name);
      parts.push(`${shownName}:${any(value[name as keyof typeof value], name, depth)}`);
      isCallers = wasCallers;
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
