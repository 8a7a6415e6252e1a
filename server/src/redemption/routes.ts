import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { htmlReply } from '../pages/html-reply.ts';
import { acts, goBack } from './acts.ts';
import { findLinkedGift } from './find-linked-gift.ts';
import { isForeignForm } from './foreign-form.ts';
import { failedPage, foreignFormPage, tooManyPage, unknownLinkPage } from './page.ts';
import type { Act, Place } from './place.ts';
import { showGift } from './show-gift.ts';

type LinkRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * What a recipient's link opens, and the buttons of that page. Reading changes nothing: mail scanners read every link.
 * All of it works without script, and without cookies: whoever holds the link may press its buttons.
 */
export function redemptionRoutes(app: FastifyInstance, deps: Deps): void {
  /** People are answered in words, also where something fails that should not. */
  async function answer(
    request: LinkRequest,
    reply: FastifyReply,
    isAnswer: boolean,
    act: (place: Place) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const place = { token: request.params.token, isAnswer };
    try {
      return await act(place);
    } catch (error) {
      deps.log.error({ err: error, request_id: request.requestId }, 'A recipient’s page failed.');
      request.errorCode = 'internal_error';
      return htmlReply(reply.header('retry-after', '1'), failedPage(place), 500);
    }
  }

  /** Its limit is looked at before the page is. */
  const answerLimited = (isAnswer: boolean) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof BestowError) || error.code !== 'rate_limit_exceeded') throw error;
    request.errorCode = error.code;
    const place = { token: (request as LinkRequest).params.token, isAnswer };
    return htmlReply(reply.header('retry-after', String(error.retryAfterSeconds)), tooManyPage(place), 429);
  };

  app.get(
    '/g/:token',
    { config: { access: 'public' }, errorHandler: answerLimited(false) },
    (request: LinkRequest, reply) =>
      answer(request, reply, false, async (place) => {
        const gift = await findLinkedGift(deps, place.token);
        return gift === undefined ? htmlReply(reply, unknownLinkPage(), 404) : showGift(deps, reply, place, gift);
      }),
  );

  for (const act of Object.keys(acts) as Act[]) {
    const path = `/g/:token/${act}`;
    const errorHandler = answerLimited(true);
    const body = act === 'purchase' ? 'raw' : 'ignored';
    app.post(path, { config: { access: 'public', body }, errorHandler }, (request: LinkRequest, reply) =>
      answer(request, reply, true, async (place) => {
        const gift = await findLinkedGift(deps, place.token);
        if (gift === undefined) return htmlReply(reply, unknownLinkPage(), 404);
        if (isForeignForm(request.headers, deps.publicUrl())) return htmlReply(reply, foreignFormPage(place), 403);
        if (gift.isExpired && act !== 'renew') return showGift(deps, reply, place, gift);
        return acts[act](deps, { gift, place, request, reply });
      }),
    );
    // Whoever loads the address of an answer again gets the page it belongs to.
    app.get(path, { config: { access: 'public' }, errorHandler }, (request: LinkRequest, reply) =>
      answer(request, reply, true, async (place) =>
        deps.links.read(place.token) === undefined
          ? htmlReply(reply, unknownLinkPage(), 404)
          : goBack({ place, reply }),
      ),
    );
  }
}
