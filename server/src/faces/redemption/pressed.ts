import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Proof } from '../../core/card-proofs/prove.ts';
import type { Deps } from '../../core/deps.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { type BasePath, giftPath } from './base-path.ts';
import { findLinkedGift, type LinkedGift } from './find-linked-gift.ts';
import { unknownLinkPage } from './page.ts';
import { type Remarks, showGift } from './show-gift.ts';

/** A pressed button. The link is valid; for `renew` it may have expired. */
export interface Pressed {
  gift: LinkedGift;
  basePath: BasePath;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Without NUL, which PostgreSQL stores in no text. */
export const formOf = ({ request: { body } }: Pressed) =>
  new URLSearchParams(typeof body === 'string' ? body.replaceAll(/%00|\0/g, '') : '');

/** Redirects to the gift's page. @param part a fragment such as `#card`, which starts an animation */
export function goBack({ basePath, reply }: Pick<Pressed, 'basePath' | 'reply'>, part = ''): FastifyReply {
  return reply
    .code(303)
    .header('location', giftPath(basePath) + part)
    .send();
}

/** Asks this browser to prove that the card is its own. */
export const askForProof = (deps: Deps, { gift, basePath, reply }: Pressed, proof: Proof, remarks: Remarks = {}) =>
  showGift(deps, reply, basePath, gift, { ...remarks, proof });

/** Reads the gift again, because it may have changed, and shows it. */
export async function showAsItIs(deps: Deps, { basePath, reply }: Pressed, remarks: Remarks): Promise<FastifyReply> {
  const gift = await findLinkedGift(deps, basePath.token);
  return gift === undefined
    ? htmlReply(reply, unknownLinkPage(pageWords(reply)), 404)
    : showGift(deps, reply, basePath, gift, remarks);
}
