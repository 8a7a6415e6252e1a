import { cardPage } from '../../src/faces/redemption/card-page.ts';
import { expiredLinkPage } from '../../src/faces/redemption/expired-page.ts';
import {
  canceledPage,
  claimingPage,
  heldPage,
  openedPage,
  unknownLinkPage,
  wrappedPage,
} from '../../src/faces/redemption/page.ts';
import { proofPage } from '../../src/faces/redemption/proof-page.ts';
import type { ShownCard } from '../../src/faces/redemption/shown-card.ts';
import type { ShownGift } from '../../src/faces/redemption/shown-gift.ts';
import { type Catalogue, english } from '../../src/platform/languages/catalogue.ts';
import { createWords } from '../../src/platform/languages/words.ts';

/** English, a third longer and with marks on its letters. */
const pseudo = Object.fromEntries(
  Object.entries(english).map(([key, text]) => [
    key,
    text.includes('plural')
      ? text
      : `${text.replaceAll(/\{\w+\}|[aeiou]/g, (part) => (part.length > 1 ? part : `${part}\u0301`))} ${'~'.repeat(text.length / 3)}`,
  ]),
) as unknown as Catalogue;

const face = { brand: 'Bestow Test', lastFour: '4242', expires: { month: 3, year: 2030 } };
const details = { ...face, number: '9999991234567890', securityCode: '123' };

const card: ShownCard = {
  presentation: { kind: 'card', face },
  isRevealed: false,
  spentCents: 23_456,
  purchases: {
    latest: [{ merchant: 'Shop', amount_cents: 23_456, created_at: new Date('2026-11-21T12:00:00Z') }],
    earlierCents: 0,
  },
  purchaseId: '019aa5a0-0000-7000-8000-000000000000',
  wayBack: { address: null, hasPin: false, isPinEnded: false },
  thanks: 'possible',
};

/** Returns every page of a gift, by its state, in the direction of a language and with longer texts than any language has. */
export function pseudoPages(language: 'de' | 'ar'): Record<string, string> {
  const words = createWords(language, pseudo);
  const basePath = { token: 'x', isAnswer: false };
  const gift: ShownGift = {
    words,
    basePath,
    giftId: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
    senderName: 'Charles',
    organizationName: 'Acme',
    recipientName: 'Ada',
    note: 'Thank you!',
    amountCents: 123_456,
    categoryName: 'Coffee',
    artwork: null,
    currency: 'USD',
    isSandbox: true,
    asksWayBack: true,
    lastDay: '12 May 2027',
  };
  const possible = { state: 'possible', address: 'a•••@example.com', isSandbox: true } as const;
  return {
    wrapped: wrappedPage(gift),
    opened: openedPage(gift),
    'opened-live': openedPage({ ...gift, isSandbox: false, isSimulatedLive: true }),
    // Without its reload, which would replace it.
    claiming: claimingPage(gift).replace(/<meta http-equiv="refresh"[^>]*>/, ''),
    card: cardPage(gift, card),
    number: cardPage(gift, { ...card, presentation: { kind: 'card', face, details }, isRevealed: true }),
    'too-much': cardPage(gift, { ...card, refusedAmount: { typed: '10000', error: 'too_much' } }),
    spent: cardPage(gift, { ...card, spentCents: gift.amountCents, purchaseId: undefined }),
    proof: proofPage(gift, { by: 'code_sent', hasPin: true, isPinEnded: false, address: 'ada@example.com' }),
    'on-hold': heldPage('Charles', words),
    canceled: canceledPage('Charles', words),
    expired: expiredLinkPage(basePath, possible, words),
    'link-sent': expiredLinkPage(basePath, { ...possible, state: 'sent' }, words),
    unknown: unknownLinkPage(words),
  };
}
