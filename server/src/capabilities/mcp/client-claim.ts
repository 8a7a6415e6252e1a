import type { FastifyRequest } from 'fastify';

/** The program that a client says it is. */
interface ClientInfo {
  name: string;
  version: string;
}

/** The key of the revision of 2026, in which every message names its client. */
const META_KEY = 'io.modelcontextprotocol/clientInfo';
const MAX_NAME = 64;
const MAX_VERSION = 32;

// The revisions of 2025 name the client only in their first message. The session id of the answer carries the name, which
// the client sends back, so that any process knows it without a session.
const SESSION_ID = /^client_([A-Za-z0-9_-]{1,700})$/;

/** Returns what a message, or the session id that came with it, says about its client, such as `claude 2.1`. */
export function clientOf({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): string | undefined {
  const info = infoOf(body) ?? fromSessionId(headers['mcp-session-id']);
  return info === undefined ? undefined : `${info.name} ${info.version}`.trim();
}

/** The session id of the answer to `initialize`; undefined for other messages and for a client without a name. */
export function sessionIdOf(body: unknown): string | undefined {
  const { method, params } = Object(body);
  const info = method === 'initialize' ? readInfo(Object(params).clientInfo) : undefined;
  return info === undefined ? undefined : sessionIdFor(info);
}

/** For a program that passes another client's messages on. */
export function sessionIdFor(info: ClientInfo): string {
  const { name, version } = readInfo(info) ?? { name: '', version: '' };
  return `client_${Buffer.from(JSON.stringify([name, version])).toString('base64url')}`;
}

function infoOf(body: unknown): ClientInfo | undefined {
  const { method, params } = Object(Array.isArray(body) ? body[0] : body);
  const { _meta, clientInfo } = Object(params);
  return readInfo(Object(_meta)[META_KEY] ?? (method === 'initialize' ? clientInfo : undefined));
}

function fromSessionId(sessionId: unknown): ClientInfo | undefined {
  const [, encoded] = SESSION_ID.exec(String(sessionId)) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const [name, version] = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return readInfo({ name, version });
  } catch {
    return undefined;
  }
}

function readInfo(info: unknown): ClientInfo | undefined {
  const { name, version } = Object(info);
  const clean = { name: cleaned(name, MAX_NAME), version: cleaned(version, MAX_VERSION) };
  return clean.name === '' ? undefined : clean;
}

/** Removes controls, marks of direction and lone surrogates; a client may send any text. */
const cleaned = (text: unknown, maxCharacters: number): string =>
  typeof text !== 'string'
    ? ''
    : [...text.slice(0, 4 * maxCharacters).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')]
        .slice(0, maxCharacters)
        .join('')
        .trim();
