import { Type } from 'typebox';
import { listCategories } from '../../core/catalog/list-categories.ts';
import type { Deps } from '../../core/deps.ts';
import type { Face } from '../../core/face/face.ts';
import { findFace } from '../../core/face/find-face.ts';
import { checkBrand, setBrand, showBrand } from '../../core/face/set-brand.ts';
import { setLogo } from '../../core/face/set-logo.ts';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { previewGift } from '../../faces/redemption/preview-gift.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { nullable, oneOf } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { htmlReply, mailPolicy, triedPagePolicy } from '../../platform/pages/html-reply.ts';
import { inScheme, pageInScheme } from '../../platform/pages/scheme.ts';
import { withoutLinks } from '../../platform/pages/without-links.ts';

const PATH = '/organizations/{organization_id}/brand';

const text = (description: string) => nullable(Type.String({ maxLength: 2_000, description }));

const input = {
  color: text('Of buttons and ribbons, such as `#1f5fa8`; null: as the service.'),
  text_color: text('Of text on `color`. The contrast of the two must be 4.5 : 1 or more.'),
  footer: text('Below mails and pages, in up to six lines.'),
  sender_name: text('Stands for the organization’s name if a gift has no sender’s name.'),
  reply_to: nullable({
    ...EmailDelivery.properties.email,
    description: 'The address for recipients’ answers to mails.',
  }),
  subject: text('Of a gift’s first email; `{sender}` is the sender’s name.'),
};

const BrandInput = Type.Object(input);

const Brand = Type.Object(
  {
    ...input,
    contrast: nullable(Type.Number({ description: 'Of the two colors, rounded down.' })),
    logo: nullable(Type.Object({ path: Type.String(), width: Type.Integer(), height: Type.Integer() })),
  },
  { $id: 'Brand' },
);

const LogoInput = Type.Object(
  {
    file: nullable(
      Type.String({
        maxLength: 1_000_000,
        description: 'A PNG, JPEG or WebP image as base64; null removes the logo.',
        'x-rule': 'must be an image of at most 750 kB',
      }),
    ),
  },
  { $id: 'LogoInput' },
);

const BrandPreview = Type.Object(
  {
    subject: Type.String(),
    draft: Type.String({ description: 'The brand, sealed, for the frames that show it.' }),
  },
  { $id: 'BrandPreview' },
);

const organizationOf = ({ organization_id }: { organization_id: string }) => requireId('org', organization_id);

/** How the organization looks to recipients, in both environments. */
export function brandRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showBrand',
      tag: 'Brand',
      summary: 'The logo, the colors and the texts that recipients see.',
      access: 'member',
      response: Brand,
    },
    ({ params }) => showBrand(deps, organizationOf(params)),
  );

  register(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'setBrand',
      tag: 'Brand',
      summary: 'Sets the colors and the texts that recipients see.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: BrandInput,
      response: Brand,
    },
    ({ params, body, member }) =>
      setBrand(deps, { organizationId: organizationOf(params), brand: body, actor: member.actor }),
  );

  register(
    {
      method: 'PUT',
      path: `${PATH}/logo`,
      operationId: 'setLogo',
      tag: 'Brand',
      summary: 'Sets or removes the logo. It is drawn again as a small PNG.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: LogoInput,
      response: Brand,
    },
    async ({ params, body: { file }, member: { actor } }) => {
      const organizationId = organizationOf(params);
      await setLogo(deps, { organizationId, file, actor });
      return await showBrand(deps, organizationId);
    },
  );

  addPreviewRoutes(register, deps);
}

function addPreviewRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/preview`,
      operationId: 'previewBrand',
      tag: 'Brand',
      summary: 'Checks a brand that is not saved yet. Saves nothing.',
      access: 'member',
      body: BrandInput,
      response: BrandPreview,
    },
    async ({ params, body, member: { membership } }) => {
      const organizationId = organizationOf(params);
      const face: Face = { ...(await findFace(deps, organizationId)), ...checkBrand(body) };
      const { message } = await previewFace(deps, face, membership.organization_name);
      return { subject: message?.subject ?? '', draft: deps.cipher.encrypt(JSON.stringify(face)) };
    },
  );

  register(
    {
      method: 'GET',
      path: `${PATH}/preview/{part}`,
      operationId: 'showBrandPreview',
      tag: 'Brand',
      summary: 'A mail (`mail`) or a recipient’s page (`page`) that wears a brand, for a frame.',
      access: 'member',
      query: Type.Object({
        draft: Type.Optional(Type.String({ maxLength: 8_000, description: 'From the preview.' })),
        scheme: Type.Optional(oneOf('light', 'dark')),
      }),
      file: 'text/html',
    },
    async ({ params, query, reply, member: { membership } }) => {
      const face = openDraft(deps, organizationOf(params), query.draft ?? '');
      if (face === undefined) throw new BestowError('not_found');
      const { message, page, artworks } = await previewFace(deps, face, membership.organization_name);
      const { scheme = 'light' } = query;
      if (params.part === 'page')
        return htmlReply(reply, pageInScheme(page, scheme), 200, { contentSecurityPolicy: triedPagePolicy(artworks) });
      const html = message?.html ?? null;
      if (params.part !== 'mail' || html === null) throw new BestowError('not_found');
      const images = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, url = '']) => url);
      return htmlReply(reply, withoutLinks(inScheme(html, scheme)), 200, { contentSecurityPolicy: mailPolicy(images) });
    },
  );
}

/** The first category of the catalog stands for all. */
async function previewFace(deps: Deps, face: Face, organizationName: string): ReturnType<typeof previewGift> {
  const category = (await listCategories(deps)).find(({ retired_at }) => retired_at === null);
  if (category === undefined) throw new BestowError('not_found');
  const scope = { organizationId: face.organization_id, environment: 'live' } as const;
  const draft = { method: 'email', amount: 5_000, category: category.category_id, recipient_name: 'Ada' } as const;
  return await previewGift(deps, scope, organizationName, draft, face);
}

function openDraft({ cipher }: Pick<Deps, 'cipher'>, organizationId: string, sealed: string): Face | undefined {
  const text = cipher.decrypt(sealed);
  const face = text === undefined ? undefined : (JSON.parse(text) as Partial<Face>);
  return face?.organization_id === organizationId && face.logo_hash !== undefined ? (face as Face) : undefined;
}
