import type { FastifyInstance } from 'fastify';
import { BestowError } from '../../platform/base/errors.ts';
import { assetReply } from '../../platform/pages/asset-reply.ts';
import { htmlReply, PUBLIC_PAGE_CACHE, scriptedPolicy } from '../../platform/pages/html-reply.ts';
import type { Deps } from '../deps.ts';
import { artworkFiles } from './artwork.ts';
import { catalogPage } from './catalog-page.ts';
import { categoryPage } from './category-page.ts';
import { selectCategories } from './queries.ts';

type PageDeps = Pick<Deps, 'config'> & { database: Pick<Deps['database'], 'shared'> };

export function catalogPages(app: FastifyInstance, { config, database }: PageDeps): void {
  app.get<{ Params: { file: string } }>('/artwork/:file', (request, reply) => {
    const file = artworkFiles.get(request.params.file);
    if (file === undefined) throw new BestowError('resource_missing');
    return assetReply(request, reply, file);
  });

  app.get('/catalog', async (_request, reply) => {
    const categories = await selectCategories(database.shared, []);
    const imageUrls = categories.map(({ artwork }) => artwork);
    return htmlReply(reply, catalogPage(categories), 200, {
      cacheControl: PUBLIC_PAGE_CACHE,
      contentSecurityPolicy: scriptedPolicy(imageUrls),
    });
  });

  app.get<{ Params: { category_id: string } }>('/catalog/:category_id', async (request, reply) => {
    // No query by id: an id in a URL can contain characters that PostgreSQL refuses, such as NUL.
    const categories = await selectCategories(database.shared, []);
    const category = categories.find(({ category_id }) => category_id === request.params.category_id);
    if (category === undefined) throw new BestowError('resource_missing');
    const imageUrls = [category.artwork];
    return htmlReply(reply, categoryPage(category, config.currency), 200, {
      cacheControl: PUBLIC_PAGE_CACHE,
      contentSecurityPolicy: scriptedPolicy(imageUrls),
    });
  });
}
