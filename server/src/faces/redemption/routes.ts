import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { tokenIn } from '../../core/links/links.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { isLocked } from '../../platform/http/error-reply.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { acts } from './acts.ts';
import type { Act, BasePath } from './base-path.ts';
import { findLinkedGift, type LinkedGift } from './find-linked-gift.ts';
import { isForeignForm } from './foreign-form.ts';
import { failedPage, foreignFormPage, tooManyPage, unknownLinkPage } from './page.ts';
import { goBack } from './pressed.ts';
import { showGift } from './show-gift.ts';

const actsWithForms: readonly Act[] = ['choose', 'claim', 'prove', 'pin', 'purchase', 'card-key', 'thank'];

/** A canceled gift, or one on hold: its page has no buttons. */
const isClosed = ({ canceled_at, held_by }: LinkedGift) => canceled_at !== null || held_by !== null;

type LinkRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * The recipient's page and its buttons. GET changes nothing, because mail scanners open every link. The page needs no
 * scripts: anyone with the link can press its buttons. Only the number of a card asks who presses (prove.ts).
 */
export function redemptionRoutes(app: FastifyInstance, deps: Deps): void {
  /** Answers with a page even after an unexpected error. */
  async function answer(
    request: LinkRequest,
    reply: FastifyReply,
    isAnswer: boolean,
    act: (basePath: BasePath) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const basePath = { token: tokenIn(request.params.token), isAnswer };
    try {
      return await act(basePath);
    } catch (error) {
      const failed = failedPage(basePath, pageWords(reply));
      reply.header('retry-after', '1');
      if (isLocked(error)) {
        request.errorCode = 'resource_locked';
        return htmlReply(reply, failed, 503);
      }
      deps.log.error({ err: error, request_id: request.requestId }, 'A recipient’s page failed.');
      request.errorCode = 'internal_error';
      return htmlReply(reply, failed, 500);
    }
  }

  /** The rate limit fails before the handler runs. */
  const answerLimited = (isAnswer: boolean) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof BestowError) || error.code !== 'rate_limit_exceeded') throw error;
    request.errorCode = error.code;
    const basePath = { token: tokenIn((request as LinkRequest).params.token), isAnswer };
    reply.header('retry-after', String(error.retryAfterSeconds));
    return htmlReply(reply, tooManyPage(basePath, pageWords(reply)), 429);
  };

  app.get(
    '/g/:token',
    { config: { access: 'public' }, errorHandler: answerLimited(false) },
    (request: LinkRequest, reply) =>
      answer(request, reply, false, async (basePath) => {
        const gift = await findLinkedGift(deps, basePath.token);
        return gift === undefined ? showUnknown(deps, reply) : showGift(deps, reply, basePath, gift);
      }),
  );

  // Mail and text programs take a slash that follows a link in.
  app.get('/g/:token/', { config: { access: 'public' } }, (request: LinkRequest, reply) => {
    const token = tokenIn(request.params.token);
    return deps.links.read(token) === undefined ? showUnknown(deps, reply) : reply.redirect(`../${token}`, 303);
  });

  for (const act of Object.keys(acts) as Act[]) {
    const path = `/g/:token/${act}`;
    const errorHandler = answerLimited(true);
    const body = actsWithForms.includes(act) ? 'raw' : 'ignored';
    app.post(path, { config: { access: 'public', body }, errorHandler }, (request: LinkRequest, reply) =>
      answer(request, reply, true, async (basePath) => {
        const gift = await findLinkedGift(deps, basePath.token);
        if (gift === undefined) return showUnknown(deps, reply);
        if (isForeignForm(request.headers, deps.publicUrl()))
          return htmlReply(reply, foreignFormPage(basePath, pageWords(reply, gift)), 403);
        if (isClosed(gift)) return showGift(deps, reply, basePath, gift, { status: 409 });
        if (gift.isExpired && act !== 'renew') return showGift(deps, reply, basePath, gift);
        return acts[act](deps, { gift, basePath, request, reply });
      }),
    );
    // Reloading the URL of an answer leads back to the gift's page.
    app.get(path, { config: { access: 'public' }, errorHandler }, (request: LinkRequest, reply) =>
      answer(request, reply, true, async (basePath) =>
        deps.links.read(basePath.token) === undefined ? showUnknown(deps, reply) : goBackInLanguage(basePath, reply),
      ),
    );
  }
}

const showUnknown = ({ config }: Deps, reply: FastifyReply) =>
  htmlReply(reply, unknownLinkPage(pageWords(reply), config.operator), 404);

/** A choice of the language, made on an answer, is remembered. */
function goBackInLanguage(basePath: BasePath, reply: FastifyReply): FastifyReply {
  pageWords(reply);
  return goBack({ basePath, reply });
}
