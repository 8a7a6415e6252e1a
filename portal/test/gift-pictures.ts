import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { addIssuer } from '../../server/src/capabilities/issuers/add-issuer.ts';
import { uploadCodes } from '../../server/src/capabilities/issuers/own-codes/upload-codes.ts';
import { setBrand } from '../../server/src/core/face/set-brand.ts';
import { setLogo } from '../../server/src/core/face/set-logo.ts';
import { holdGift } from '../../server/src/core/gifts/hold/hold-gift.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { pseudoPages } from '../../server/test/harness/pseudo-pages.ts';
import type { TestOrganization, TestService } from '../../server/test/harness/test-service.ts';
import { openVisit } from './harness/browser.ts';
import { takePictures } from './harness/portal.ts';

const LANGUAGES = ['en', 'de', 'ar'] as const;

const NO_BRAND = { color: null, text_color: null, footer: null, sender_name: null, reply_to: null, subject: null };
const BRANDS = [
  { name: 'Harbour & Finch', brand: NO_BRAND, logo: undefined },
  {
    name: 'Nordlicht',
    brand: {
      ...NO_BRAND,
      color: '#0f4c81',
      text_color: '#ffffff',
      footer: 'Nordlicht GmbH, Am Hafen 1, 20457 Hamburg',
    },
    logo: ['#0f4c81', 'Nordlicht'],
  },
  {
    name: 'Limon',
    brand: { ...NO_BRAND, color: '#f6d743', text_color: '#20201c', footer: 'Limon Studio' },
    logo: ['#20201c', 'limon'],
  },
] as const;

interface State {
  /** What was ordered; a link gift for coffee in the sandbox if it does not say otherwise. */
  isLive?: boolean;
  category?: string;
  /** The forms that are sent one after the other, by the ends of their addresses. */
  acts?: readonly string[];
  /** Spent on the card at last, as typed. */
  amount?: string;
  /** Done to the gift before it is looked at. */
  before?(service: TestService, organization: TestOrganization, giftId: string): Promise<unknown>;
  /** Whether another browser presses the last form. */
  isForeign?: boolean;
  /** The address that is opened. */
  addressOf?(service: TestService, link: string): string;
}

const claimed = ['open', 'claim'] as const;

const STATES: Record<string, State> = {
  '01-wrapped': {},
  '02-opened': { acts: ['open'] },
  '03-opened-live': { isLive: true, acts: ['open'] },
  '04-choose': { isLive: true, category: 'any', acts: ['open'] },
  '05-no-code-left': { isLive: true, category: 'travel', acts: claimed },
  '06-claimed': { acts: claimed },
  '07-number': { acts: [...claimed, 'reveal'] },
  '08-code': { isLive: true, category: 'books', acts: [...claimed, 'reveal'] },
  '09-purchase': { acts: claimed, amount: '5.50' },
  '10-too-much': { acts: claimed, amount: '500' },
  '11-spent': { acts: claimed, amount: '25' },
  '12-another-browser': { acts: [...claimed, 'reveal'], isForeign: true },
  '13-on-hold': {
    before: ({ service }, { organizationUuid: organizationId }, giftId) =>
      holdGift(service.deps, {
        scope: { organizationId, environment: 'sandbox' },
        giftId: decodeId('gift', giftId) ?? '',
        actor: OPERATOR,
      }),
  },
  '14-canceled': { before: (_service, { sandbox }, giftId) => sandbox.post(`/v1/gifts/${giftId}/cancel`, {}) },
  '15-expired-link': {
    addressOf({ service: { deps }, clock }, link) {
      const claims = deps.links.read(link.slice(-76));
      return claims === undefined ? link : deps.links.url({ ...claims, expiresAtMs: clock.now() });
    },
  },
  '16-unknown-link': { addressOf: (_service, link) => link.slice(0, -4) },
};

/** Draws a logo: a name in one colour. */
async function drawLogo(browser: Browser, [color, text]: readonly [string, string]): Promise<string> {
  await using page = await browser.newPage({ viewport: { width: 360, height: 90 } });
  await page.setContent(
    `<body style="margin:0;font:700 48px/90px sans-serif;color:${color}"><span style="font-size:72px">●</span> ${text}`,
  );
  return (await page.screenshot({ omitBackground: true })).toString('base64');
}

async function createSender(service: TestService, browser: Browser, { name, brand, logo }: (typeof BRANDS)[number]) {
  const { deps } = service.service;
  const organization = await service.organization({ live: 10_000_000, sandbox: 10_000_000 });
  const organizationId = organization.organizationUuid;
  await service.sql('update organizations set name = $1 where organization_id = $2', [name, organizationId]);
  await setBrand(deps, { organizationId, brand, actor: OPERATOR });
  if (logo !== undefined) await setLogo(deps, { organizationId, file: await drawLogo(browser, logo), actor: OPERATOR });
  const codes = { organizationId, kind: 'codes', settings: {}, actor: OPERATOR };
  for (const categoryId of ['books', 'travel']) await addIssuer(deps, { ...codes, categoryId });
  const lines = LANGUAGES.map((language) => `25.00,ABCD-1234-${language},4711,2099-11-30,Corner Shop,`);
  const csv = ['value,code,pin,expires,shop,terms_url', ...lines].join('\n');
  await uploadCodes(deps, { organizationId, categoryId: 'books', csv, actor: OPERATOR });
  return organization;
}

const path = (service: TestService, address: string) => service.url + new URL(address).pathname;

/** Brings a new gift into a state and leaves the browser at its page. */
async function show(page: Page, service: TestService, organization: TestOrganization, language: string, state: State) {
  const { isLive = false, category = 'coffee', acts = [], amount, before, isForeign = false } = state;
  const personalization = { recipient_name: 'Ada', sender_name: 'Charles', message: 'Thank you for everything.\nC.' };
  const ordered = { amount: 2_500, category, delivery: { method: 'link' }, personalization, language };
  const { body } = await organization[isLive ? 'live' : 'sandbox'].order([ordered]);
  const { gift_id: giftId, delivery } = body.gifts[0];
  await before?.(service, organization, giftId);
  await page.goto(path(service, state.addressOf?.(service, delivery.link) ?? delivery.link));
  for (const [index, act] of acts.entries()) {
    if (isForeign && index === acts.length - 1) {
      await page.context().clearCookies();
      await page.reload();
    }
    const form = page.locator(`form[action$="/${act}"]`);
    if (act === 'claim') await form.locator('[name="digits"]').fill('271828');
    await form.getByRole('button').first().click();
    await page.waitForLoadState('networkidle');
  }
  if (amount === undefined) return;
  await page.locator('[name="amount"]').fill(amount);
  await page.locator('form:has([name="amount"])').getByRole('button').click();
  await page.waitForLoadState('networkidle');
}

/** The mail of a new gift. */
async function showMail(page: Page, service: TestService, { live }: TestOrganization, language: string) {
  const personalization = { recipient_name: 'Ada', sender_name: 'Charles', message: 'Thank you for everything.\nC.' };
  const delivery = { method: 'email', email: 'ada@example.com' };
  await live.order([{ amount: 2_500, category: 'coffee', delivery, personalization, language }]);
  const outbox = await (await fetch(service.url + service.service.deps.outboxPath)).text();
  const [, message = ''] = /href="(\/outbox\/[\w-]+\/\w+)"/.exec(outbox) ?? [];
  await page.goto(`${service.url}${message}/html`);
}

/** The pages with longer texts than any language has, in both directions. */
async function takePseudoPictures(service: TestService, browser: Browser, directory: string): Promise<void> {
  await using visit = await openVisit(browser, service.url, { reducedMotion: 'reduce' });
  await visit.page.goto('/find');
  for (const language of ['de', 'ar'] as const)
    for (const [state, document] of Object.entries(pseudoPages(language))) {
      await visit.page.setContent(document);
      await takePictures(visit.page, join(directory, `pseudo-${language}-${state}`));
    }
}

/** Takes pictures of every state of the recipient's page, and of the mail, for three brands in three languages. */
export async function takeGiftPictures(service: TestService, browser: Browser, directory: string): Promise<void> {
  await takePseudoPictures(service, browser, directory);
  await service.addCategory('any');
  for (const [number, brand] of BRANDS.entries()) {
    const organization = await createSender(service, browser, brand);
    for (const language of LANGUAGES) {
      const file = (state: string) => join(directory, `gift-${number + 1}-${language}-${state}`);
      await using visit = await openVisit(browser, service.url, { reducedMotion: 'reduce', locale: language });
      for (const [name, state] of Object.entries(STATES)) {
        await show(visit.page, service, organization, language, state);
        await takePictures(visit.page, file(name));
      }
      await showMail(visit.page, service, organization, language);
      await takePictures(visit.page, file('17-mail'));
      await visit.page.goto(`${service.url}/find?language=${language}`);
      if (number === 0) await takePictures(visit.page, file('18-finder'));
    }
  }
}
