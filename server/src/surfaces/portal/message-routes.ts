import { showMessage } from '../../core/delivery/show-message.ts';
import type { Deps } from '../../core/deps.ts';
import { GiftMessage } from '../../core/gifts/gift/portal-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { htmlReply, measuredMailPolicy } from '../../platform/pages/html-reply.ts';
import { withoutLinks } from '../../platform/pages/without-links.ts';

const PATH = '/organizations/{organization_id}/{environment}/gifts/{gift_id}/messages/{number}';

/** Messages to a gift's recipient, without the link: its holder can claim the gift. */
export function messageRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showGiftMessage',
      tag: 'Gifts',
      summary: 'A message about a gift, without its link.',
      access: 'member',
      needs: 'people',
      response: GiftMessage,
    },
    async ({ params, scope }) => {
      const number = numberOf(params);
      const { html, ...message } = await showMessage(deps, scope, requireId('gift', params.gift_id), number);
      return { ...message, has_letter: html !== null };
    },
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/letter`,
      operationId: 'showGiftLetter',
      tag: 'Gifts',
      summary: 'An email about a gift as HTML, without its link, for a frame of the portal.',
      access: 'member',
      needs: 'people',
      file: 'text/html',
    },
    async ({ params, scope, reply }) => {
      const number = numberOf(params);
      const { html } = await showMessage(deps, scope, requireId('gift', params.gift_id), number);
      if (html === null) throw new BestowError('not_found');
      const images = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, url = '']) => url);
      return htmlReply(reply, withoutLinks(html), 200, { contentSecurityPolicy: measuredMailPolicy(images) });
    },
  );
}

/** Reads the message's number. @throws BestowError `not_found` */
function numberOf({ number }: { number: string }): number {
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new BestowError('not_found');
  return Number(number);
}
