import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { htmlReply, PUBLIC_PAGE_CACHE, scriptedPolicy } from '../../platform/pages/html-reply.ts';

/** The pages' own script. */
export const GUIDE_POLICY = scriptedPolicy();

/** A rendered page. */
export interface Document {
  html: string;
  /** With quotes. */
  etag: string;
}

export const documentOf = (html: string): Document => ({
  html,
  etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
});

/** Sends the page, or 304 if the client has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, { html, etag }: Document): FastifyReply {
  reply.header('etag', etag);
  const isKnown = request.headers['if-none-match'] === etag;
  return htmlReply(reply, isKnown ? '' : html, isKnown ? 304 : 200, {
    cacheControl: PUBLIC_PAGE_CACHE,
    contentSecurityPolicy: GUIDE_POLICY,
  });
}
