import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { readDestination } from '../../core/gifts/gift/read-address.ts';
import { browserOf } from '../../faces/redemption/browser.ts';
import { isForeignForm } from '../../faces/redemption/foreign-form.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { htmlReply, pagePolicy } from '../../platform/pages/html-reply.ts';
import { pageWords } from '../../platform/pages/page-words.ts';
import { addressBucket, RateLimiter } from '../../platform/rate-limits/rate-limit.ts';
import { digitsScript } from './digits-script.ts';
import { digitsOf, type Finder, findGifts, requestCode } from './find-gifts.ts';
import { addressPage, blockedPage, codePage, giftsPage, tooManyPage } from './pages.ts';

/** For each client, codes and attempts together: a burst of twenty, then one a minute. */
const PRESSES = { perSecond: 1 / 60, burst: 20 };

/** Of the page that asks for the code. */
const CODE_PAGE_POLICY = pagePolicy([], { scripts: [digitsScript.path] });

const tooMany = (reply: FastifyReply, seconds: number) =>
  htmlReply(reply.header('retry-after', String(seconds)), tooManyPage(pageWords(reply), Math.ceil(seconds / 60)), 429);

/**
 * The page that finds the live gifts of an address, after a code to it. It answers the same for every address. It needs no
 * scripts.
 */
export function finderRoutes(app: FastifyInstance, deps: Deps): void {
  digitsScript.register(app);
  const presses = new RateLimiter('finder-client', PRESSES, deps.clock);

  /** The rate limit of the network address fails before the handler runs. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof BestowError) || error.code !== 'rate_limit_exceeded') throw error;
    request.errorCode = error.code;
    return tooMany(reply, error.retryAfterSeconds ?? 1);
  };

  type Act = (form: URLSearchParams, to: Finder, reply: FastifyReply) => Promise<FastifyReply>;
  const press = (act: Act) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (isForeignForm(request.headers, deps.publicUrl())) return htmlReply(reply, blockedPage(pageWords(reply)), 403);
    const network = addressBucket(request.ip);
    const { isAllowed, retryAfterSeconds } = presses.take(network);
    if (!isAllowed) return tooMany(reply, retryAfterSeconds);
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
    const typed = (form.get('address') ?? '').trim();
    const to = readDestination(typed);
    if (to !== undefined) {
      const { hashFor, remember } = browserOf(deps, request);
      remember(reply);
      return act(form, { ...to, hashFor, network }, reply);
    }
    const words = pageWords(reply);
    return htmlReply(reply, addressPage(words, typed, words.say('find.wrong')), 422);
  };

  app.get('/find', { config: { access: 'public' }, errorHandler }, (_request, reply) =>
    htmlReply(reply, addressPage(pageWords(reply))),
  );

  app.post(
    '/find',
    { config: { access: 'public', body: 'raw' }, errorHandler },
    press(async (_form, to, reply) => {
      const words = pageWords(reply);
      await requestCode(deps, to, words.language);
      return htmlReply(reply, codePage(words, to.address, await digitsOf(deps, to)), 200, {
        contentSecurityPolicy: CODE_PAGE_POLICY,
      });
    }),
  );

  // Reloading the URL of the list leads back to the start.
  app.get('/find/gifts', { config: { access: 'public' }, errorHandler }, (_request, reply) => {
    pageWords(reply);
    return reply.code(303).header('location', '../find').send();
  });

  app.post(
    '/find/gifts',
    { config: { access: 'public', body: 'raw' }, errorHandler },
    press(async (form, to, reply) => {
      const found = await findGifts(deps, to, (form.get('digits') ?? '').trim());
      const words = pageWords(reply);
      return found === undefined
        ? htmlReply(reply, codePage(words, to.address, await digitsOf(deps, to), words.say('notice.wrongCode')), 422, {
            contentSecurityPolicy: CODE_PAGE_POLICY,
          })
        : htmlReply(reply, giftsPage(words, to.address, found));
    }),
  );
}
