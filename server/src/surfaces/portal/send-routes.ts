import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { GiftToSend } from '../../core/gifts/gift/portal-schema.ts';
import { EmailDelivery, GiftInput, PersonalizationInput, PhoneDelivery } from '../../core/gifts/gift/schema.ts';
import { GiftMethod } from '../../core/gifts/gift/shown-state.ts';
import { memberBuyer } from '../../core/orders/buyer.ts';
import { placeOrder } from '../../core/orders/place-order.ts';
import { portalOrderKey } from '../../core/orders/portal-order-key.ts';
import { steerOrder } from '../../core/sandbox/steer-order.ts';
import { FormId } from '../../faces/portal-access/form-id.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { type GiftDraft, previewGift } from '../../faces/redemption/preview-gift.ts';
import { refuseLostLetters } from '../../platform/api/lost-letters.ts';
import { nullable } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { htmlReply, mailPolicy, triedPagePolicy } from '../../platform/pages/html-reply.ts';
import { withoutLinks } from '../../platform/pages/without-links.ts';

const PATH = '/organizations/{organization_id}/{environment}/orders';

/** Of 900 characters of four bytes with their names, encrypted and as base64. A request's headers have 16 kB. */
const LONGEST_DRAFT = 8_000;

const Draft = Type.Object({
  method: GiftMethod,
  amount: GiftInput.properties.amount,
  category: GiftInput.properties.category,
  ...PersonalizationInput.properties,
  language: GiftInput.properties.language,
  email: Type.Optional(EmailDelivery.properties.email),
  phone: Type.Optional(PhoneDelivery.properties.phone),
  send_at: GiftInput.properties.send_at,
});

const Preview = Type.Object(
  {
    subject: nullable(Type.String({ description: 'Null unless the gift is sent by email.' })),
    text: nullable(Type.String({ description: 'The message as text; null for a link gift.' })),
    draft: Type.String({ description: 'The gift, sealed, for the frames that show it.' }),
  },
  { $id: 'GiftPreview' },
);

const Sent = Type.Object(
  {
    order_id: Type.String(),
    gifts: Type.Array(
      Type.Object({
        gift_id: Type.String(),
        link: nullable(Type.String({ description: 'Only of a link gift. Its holder can claim the gift.' })),
      }),
      { description: 'Those that are created; a `processing` order creates the others soon.' },
    ),
    is_replay: Type.Boolean({ description: 'Whether this form had bought them before.' }),
  },
  { $id: 'SentGifts' },
);

/** Gifts that people send. */
export function sendRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'sendGifts',
      tag: 'Orders',
      summary:
        'Buys gifts and sends them, as a program does. The same form buys once. What a rule holds back can be asked for.',
      access: 'member',
      needs: 'order',
      needsFreshSignIn: true,
      body: Type.Object({
        form_id: FormId,
        gifts: Type.Array(GiftToSend, { minItems: 1, maxItems: 10, 'x-rule': 'must be a list of 1 to 10 gifts' }),
      }),
      response: Sent,
    },
    async ({ scope, body: { form_id, gifts }, member: { actor } }) => {
      for (const [n, { personalization }] of gifts.entries())
        refuseLostLetters(personalization, `gifts[${n}].personalization.`);
      const key = portalOrderKey(form_id);
      const steering = steerOrder(deps, scope, key, gifts);
      const { order, isReplay } = await placeOrder(deps, memberBuyer(scope, actor), key, { gifts }, steering);
      return {
        order_id: order.order_id,
        gifts: order.gifts.map(({ gift_id, delivery }) => ({ gift_id, link: delivery.link ?? null })),
        is_replay: isReplay,
      };
    },
  );

  addPreviewRoutes(register, deps);
}

function addPreviewRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/preview`,
      operationId: 'previewGift',
      tag: 'Orders',
      summary: 'Checks a gift that is not bought yet, and shows its message. Buys and sends nothing.',
      access: 'member',
      needs: ['order', 'request', 'approve'],
      body: Draft,
      response: Preview,
    },
    async ({ scope, body, member: { membership } }) => {
      refuseLostLetters(body);
      const { message } = await previewGift(deps, scope, membership.organization_name, body);
      return {
        subject: body.method === 'email' ? (message?.subject ?? null) : null,
        text: message?.text ?? null,
        draft: deps.cipher.encrypt(
          JSON.stringify({ ...scope, draft: { ...body, email: undefined, phone: undefined } }),
        ),
      };
    },
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/preview/{part}`,
      operationId: 'showGiftPreview',
      tag: 'Orders',
      summary: 'The mail (`mail`) or the recipient’s page (`page`) of a gift that is not bought yet, for a frame.',
      access: 'member',
      needs: ['order', 'request', 'approve'],
      query: Type.Object({
        draft: Type.Optional(Type.String({ maxLength: LONGEST_DRAFT, description: 'From the preview.' })),
      }),
      file: 'text/html',
    },
    async ({ scope, params: { part }, query, reply, member: { membership } }) => {
      const draft = openDraft(deps, scope, query.draft ?? '');
      if (draft === undefined) throw new BestowError('not_found');
      const { message, page, artworks } = await previewGift(deps, scope, membership.organization_name, draft);
      if (part === 'page') return htmlReply(reply, page, 200, { contentSecurityPolicy: triedPagePolicy(artworks) });
      const html = message?.html ?? null;
      if (part !== 'mail' || html === null) throw new BestowError('not_found');
      const images = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, url = '']) => url);
      return htmlReply(reply, withoutLinks(html), 200, { contentSecurityPolicy: mailPolicy(images) });
    },
  );
}

/** The draft is sealed, so that no address bar and no log of a proxy has what a person wrote. */
function openDraft(
  { cipher }: Pick<Deps, 'cipher'>,
  { organizationId, environment }: Scope,
  sealed: string,
): GiftDraft | undefined {
  const text = cipher.decrypt(sealed);
  if (text === undefined) return undefined;
  const opened = JSON.parse(text) as Scope & { draft: GiftDraft };
  return opened.organizationId === organizationId && opened.environment === environment ? opened.draft : undefined;
}
