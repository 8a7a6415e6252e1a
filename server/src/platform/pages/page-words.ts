import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLanguage, isLanguage } from '../languages/languages.ts';
import { type Words, wordsOf } from '../languages/words.ts';
import { LANGUAGE_PARAMETER } from './language-switch.ts';

const COOKIE = 'bestow.language';
const LIFETIME_SECONDS = 34_560_000;

/** What the sender chose; null or absent: no wish. */
interface SenderWishes {
  /** Of the gift. */
  language?: string | null;
  organization_language?: string | null;
}

/**
 * Chooses the language of a page for people: what they chose on a page, else the gift's, else the organization's, else what
 * their browser accepts, else English. Remembers a choice, and sets the headers.
 */
export function pageWords(reply: FastifyReply, sender: SenderWishes = {}): Words {
  const { query, headers } = reply.request;
  const chosen = (query as Record<string, unknown> | undefined)?.[LANGUAGE_PARAMETER];
  if (isLanguage(chosen) && !reply.hasHeader('content-language'))
    reply.header('set-cookie', `${COOKIE}=${chosen}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax`);
  const wishes = [
    isLanguage(chosen) ? chosen : readCookie(reply.request),
    sender.language,
    sender.organization_language,
  ];
  const words = wordsOf(chooseLanguage(wishes, headers['accept-language']));
  reply.headers({ 'content-language': words.language, vary: 'Accept-Language, Cookie' });
  return words;
}

function readCookie({ headers }: FastifyRequest): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return pairs.find(([name]) => name === COOKIE)?.[1];
}
