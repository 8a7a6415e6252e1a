import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { hasOutboxPage } from '../../platform/messaging/has-outbox-page.ts';
import { IMMUTABLE } from '../../platform/pages/asset-reply.ts';
import { htmlReply } from '../../platform/pages/html-reply.ts';
import { page } from '../../platform/pages/layout.ts';

/** The output of `npm run build` in the workspace `portal`. */
const BUILT = fileURLToPath(new URL('../../../../portal/dist', import.meta.url));

/** The apps: where each is, and below which folder of the build. */
export const apps = {
  portal: { path: '/portal', built: BUILT },
  operator: { path: '/operator', built: join(BUILT, 'operator') },
};
const NONCE_BYTES = 16;
/** Placeholder in the built page; each answer replaces it with a new nonce. */
const NONCE_PLACE = '__NONCE__';
/** Placeholder that says whether sign-in codes are in the outbox of this machine. */
const OUTBOX_PLACE = '__OUTBOX__';
/** Placeholder of the portal's address, if the operator's page has a port of its own. */
const PORTAL_PLACE = '__PORTAL__';

/** The kinds of files that the build makes. */
const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The encodings that scripts/build-portal.js makes, smallest first. */
const encodings = [
  { token: 'br', suffix: '.br' },
  { token: 'gzip', suffix: '.gz' },
];

const notBuilt = page({
  title: 'The portal is being built',
  description: 'The portal is being built.',
  body: '<div class="stack"><h1>The portal is being built</h1><p class="lead">The first <code>npm start</code> builds it beside the service, in about half a minute. This page then opens it by itself. If it does not, run <code>npm run setup</code> and read what it says.</p></div>',
  refresh: { seconds: 3, url: '' },
});

interface Built {
  document: string;
  /** Only names from the build, so that no path leads elsewhere. */
  assets: ReadonlySet<string>;
}

export const isPortalBuilt = (): boolean => existsSync(join(BUILT, 'index.html'));

/**
 * Serves an app: one page for all its URLs, and files whose names change with their content. Radix adds a style element
 * while a dialog is open; the nonce allows only that element.
 *
 * @param admit refuses who may not see even its files, or answers them
 */
export function appRoutes(
  app: FastifyInstance,
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  { path, built }: (typeof apps)[keyof typeof apps],
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> = async () => undefined,
): void {
  let opened: Built | undefined;
  const open = async (): Promise<Built | undefined> => {
    // It may be built while the service runs.
    if (opened !== undefined || !existsSync(join(built, 'index.html'))) return opened;
    const document = (await readFile(join(built, 'index.html'), 'utf8'))
      .replace(OUTBOX_PLACE, hasOutboxPage(deps.config, deps.publicUrl()) ? 'on' : 'off')
      .replace(PORTAL_PLACE, deps.config.operatorPage.port === undefined ? '' : `${deps.publicUrl()}/portal`);
    opened = { document, assets: new Set(await readdir(join(built, 'assets'))) };
    return opened;
  };
  const sendApp = async (reply: FastifyReply) => {
    const app = await open();
    if (app === undefined) return htmlReply(reply.header('retry-after', '3'), notBuilt, 503);
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return htmlReply(reply, app.document.replaceAll(NONCE_PLACE, nonce), 200, {
      contentSecurityPolicy: `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    });
  };

  app.get<{ Params: { name: string } }>(
    `${path}/assets/:name`,
    { onRequest: admit },
    async ({ params: { name }, headers }, reply) => {
      const type = types[extname(name)];
      const { assets } = (await open()) ?? {};
      if (type === undefined || !assets?.has(name)) throw new BestowError('resource_missing');
      const accepted = headers['accept-encoding'] ?? '';
      const encoding = encodings.find(({ token, suffix }) => accepted.includes(token) && assets.has(name + suffix));
      reply.headers({ 'content-type': type, 'cache-control': IMMUTABLE, vary: 'Accept-Encoding' });
      if (encoding !== undefined) reply.header('content-encoding', encoding.token);
      return reply.send(createReadStream(join(built, 'assets', name + (encoding?.suffix ?? ''))));
    },
  );

  const notPages = new RegExp(`^${path}/(?:api|assets)(?:/|$)`);
  for (const url of [path, `${path}/`, `${path}/*`])
    app.get(url, { onRequest: admit }, (request, reply) => {
      if (notPages.test(request.url)) throw new BestowError('resource_missing');
      return sendApp(reply);
    });
}
