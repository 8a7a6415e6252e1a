import type { FastifyInstance } from 'fastify';
import { findCategory } from '../catalog/find-category.ts';
import type { Deps } from '../deps.ts';
import { findGift } from '../gifts/retrieve-gift.ts';
import { htmlReply } from '../pages/html-reply.ts';
import { expiredLinkPage, linkPage, unknownLinkPage } from './page.ts';

/** What a recipient's link opens. Reading it changes nothing: mail scanners read every link. */
export function redemptionRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { token: string } }>('/g/:token', { config: { access: 'public' } }, async (request, reply) => {
    const claims = deps.links.read(request.params.token);
    if (claims === undefined) return htmlReply(reply, unknownLinkPage(), 404);
    const gift = await findGift(deps, claims, claims.giftId);
    // A redirect ends the links before it.
    if (gift === undefined || gift.link_version !== claims.version) return htmlReply(reply, unknownLinkPage(), 404);
    if (claims.expiresAtMs <= deps.clock.now()) return htmlReply(reply, expiredLinkPage(), 410);
    const category = await findCategory(deps, gift.category_id);
    const artwork = category?.artwork ?? null;
    const document = linkPage({
      senderName: gift.sender_name,
      recipientName: gift.recipient_name ?? undefined,
      categoryName: category?.name ?? gift.category_id,
      artwork,
      isClaimed: gift.claimed_at !== null,
    });
    return htmlReply(reply, document, 200, { imageUrls: [artwork] });
  });
}
