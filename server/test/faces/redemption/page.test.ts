import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardPage } from '../../../src/faces/redemption/card-page.ts';
import { expiredLinkPage } from '../../../src/faces/redemption/expired-page.ts';
import {
  failedPage,
  foreignFormPage,
  openedPage,
  tooManyPage,
  unknownLinkPage,
  wrappedPage,
} from '../../../src/faces/redemption/page.ts';
import type { ShownCard } from '../../../src/faces/redemption/shown-card.ts';
import type { ShownGift } from '../../../src/faces/redemption/shown-gift.ts';
import { assertStrict } from '../../harness/assert-strict.ts';

const basePath = { token: 'TOKEN', isAnswer: false };

const gift: ShownGift = {
  basePath,
  giftId: 'gift_01',
  senderName: 'Acme',
  organizationName: 'Acme',
  recipientName: 'Ada',
  note: undefined,
  amountCents: 2500,
  categoryName: 'Coffee',
  artwork: '/artwork/coffee.svg',
  currency: 'USD',
  isSandbox: true,
};

const face = { brand: 'Bestow Test', lastFour: '4242', expires: { month: 3, year: 2030 } };

const card: ShownCard = {
  presentation: { kind: 'card', face },
  isRevealed: false,
  spentCents: 700,
  purchases: {
    latest: [{ merchant: 'Shop', amount_cents: 500, created_at: new Date('2026-11-21T12:00:00Z') }],
    earlierCents: 200,
  },
  purchaseId: '019aa5a0-0000-7000-8000-000000000000',
};

const details = { ...face, number: '9999991234567890', securityCode: '123' };
const revealed: ShownCard = { ...card, presentation: { kind: 'card', face, details }, isRevealed: true };

/** The visible text. */
const words = (document: string) => document.slice(document.indexOf('<main')).replaceAll(/<[^>]*>/g, ' ');

/** Every page of a gift. */
const states = (more: Partial<ShownGift> = {}) => [
  wrappedPage({ ...gift, ...more }),
  openedPage({ ...gift, ...more }),
  cardPage({ ...gift, ...more }, card),
  cardPage({ ...gift, ...more }, { ...revealed, refusedAmount: { typed: '100', error: 'too_much' } }),
];

test('a page shows an alert only if it has a notice', () => {
  const alerts = (document: string) => document.match(/role="alert"/g)?.length ?? 0;
  const notice = 'Something failed.';
  for (const show of [wrappedPage, openedPage, (shown: ShownGift) => cardPage(shown, card)])
    assert.deepEqual([alerts(show(gift)), alerts(show({ ...gift, notice }))], [0, 1]);
});

test('every page of a sandbox gift says once that it is a test', () => {
  const notes = (document: string) => document.match(/a test gift/g)?.length ?? 0;
  const live = { ...gift, isSandbox: false };
  const withoutForm = { ...card, purchaseId: undefined };
  assert.deepEqual([...states(), cardPage(gift, withoutForm)].map(notes), [1, 1, 1, 1, 1]);
  assert.deepEqual([wrappedPage(live), openedPage(live), cardPage(live, withoutForm)].map(notes), [0, 0, 0]);
});

test('a card without a recipient’s name still names the sender', () => {
  assert.match(words(cardPage({ ...gift, recipientName: undefined }, card)), /A gift from {2}Acme/);
});

const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</bdi></h1><a href="https://evil.example">',
  '{{7*7}} !<b>',
  '\u202egnp.exe\u202c \u2066x',
  '\u200F\u061C',
  `"' onmouseover='x' "`,
  '&lt;b&gt; &amp;',
  'https://example.com/claim',
];

for (const name of HOSTILE_NAMES)
  test(`${JSON.stringify(name)} is text in every name`, () => {
    const named = { senderName: name, recipientName: name, categoryName: name, notice: name };
    const pages = [...states(named), cardPage(gift, { ...card, purchases: { latest: [], earlierCents: 0 } })];
    for (const document of pages) {
      assertStrict(document.replaceAll(/onerror|onmouseover/g, 'on'));
      assert.doesNotMatch(document, /<script>|<img src&#61;|<img src=x|<a href="https|<b>/);
      const isolated = [...document.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, text]) => `${text}`);
      const shown = isolated.map((text) =>
        text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
      );
      assert.ok(shown.length >= 2);
      const cleaned = name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
      assert.ok(shown.every((text) => [cleaned, 'Shop', 'Ada', 'Acme', 'Coffee'].includes(text)));
    }
  });

test('a wrapped gift shows sender and recipient, and not its content', () => {
  const document = wrappedPage(gift);
  assert.match(document, /<h1>A gift for <bdi>Ada<\/bdi><\/h1>/);
  assert.match(document, /from <bdi>Acme<\/bdi>/);
  assert.doesNotMatch(words(document), /\$|USD|cents|25|Coffee/);
  assert.doesNotMatch(document, /coffee/);
  assert.match(wrappedPage({ ...gift, recipientName: undefined }), /<h1>A gift for you<\/h1>/);
});

test('an opened gift shows its amount, its category and its picture', () => {
  const document = openedPage(gift);
  assert.match(document, /\$25\.00<\/span> for <bdi>Coffee<\/bdi>/);
  assert.match(document, /src="\/artwork\/coffee\.svg"/);
  assert.match(document, /<button class="button primary large">Claim<\/button>/);
  assert.match(words(document), /For\s+Ada\s*,\s+from\s+Acme/);
  assert.match(words(openedPage({ ...gift, recipientName: undefined })), /A gift from\s+Acme/);
});

test('a card’s number and security code are shown only on request', () => {
  const hidden = cardPage(gift, card);
  assert.doesNotMatch(words(hidden), /9999|1234|123/);
  assert.match(hidden, /4242/);
  assert.match(words(hidden), /•••• •••• ••••\s+hidden, ends in\s+4242/);
  assert.match(words(hidden), /Security code\s+•••\s+hidden/);
  assert.match(hidden, /<time datetime="2030-03">Mar 2030<\/time>/);
  const shown = cardPage(gift, revealed);
  assert.match(shown, /9999 9912 3456 7890/);
  assert.match(shown, /<span>123<\/span>/);
});

test('number, expiry and code can be copied once they are shown', () => {
  const copied = (document: string) => [...document.matchAll(/data-copy="([^"]*)" hidden/g)].map(([, value]) => value);
  assert.deepEqual(copied(cardPage(gift, revealed)), ['9999991234567890', '03/30', '123']);
  assert.doesNotMatch(cardPage(gift, card), /data-copy|<script/);
});

test('a spent card looks spent, and is not celebrated', () => {
  const spent = cardPage(gift, { ...card, spentCents: 2500, purchaseId: undefined });
  assert.match(words(spent), /Your card for\s+Coffee\s+is spent/);
  assert.match(spent, /class="payment spent"/);
  assert.doesNotMatch(spent, /How to use it|celebration/);
  assert.match(cardPage(gift, card), /How to use it/);
});

test('help names the organization and the gift', () => {
  const asked = words(cardPage({ ...gift, organizationName: 'Globex' }, card));
  assert.match(asked, /Ask\s+Globex\s*, through whom\s+Acme\s+sent this gift\s*\..*gift_01/s);
});

test('a card shows its balance, its purchases and earlier spending', () => {
  const document = cardPage(gift, card);
  assert.match(document, /<strong>\$18\.00<\/strong> of \$25\.00/);
  assert.match(document, /Shop.*−\$5\.00.*Earlier purchases.*−\$2\.00/s);
});

test('a card lists only the kinds of purchases that exist', () => {
  const withPurchases = (purchases: ShownCard['purchases']) => words(cardPage(gift, { ...card, purchases }));
  const { latest } = card.purchases;
  assert.match(withPurchases({ latest: [], earlierCents: 0 }), /No purchases yet\./);
  const recent = withPurchases({ latest, earlierCents: 0 });
  assert.match(recent, /Shop\s+November 21, 2026\s+−\$5\.00/);
  assert.doesNotMatch(recent, /Earlier purchases|Spent in a simulation|No purchases/);
  const simulated = withPurchases({ latest: [], earlierCents: 300 });
  assert.match(simulated, /Spent in a simulation\s+−\$3\.00/);
  assert.doesNotMatch(simulated, /No purchases|Earlier purchases/);
});

test('only the sandbox offers a test purchase', () => {
  assert.match(cardPage(gift, card), /Make a test purchase/);
  assert.doesNotMatch(
    cardPage({ ...gift, isSandbox: false }, { ...card, purchaseId: undefined }),
    /purchase_id|[Ss]andbox/,
  );
});

test('URLs of the page are relative', () => {
  assert.match(wrappedPage(gift), /action="TOKEN\/open"/);
  assert.match(wrappedPage({ ...gift, basePath: { token: 'TOKEN', isAnswer: true } }), /action="open"/);
  for (const show of [failedPage, tooManyPage])
    assert.match(show({ token: 'TOKEN', isAnswer: true }), /href="\.\.\/TOKEN"/);
});

test('only the sandbox says that a new link is only in the outbox', () => {
  const offer = (state: 'possible' | 'sent', isSandbox: boolean) =>
    words(expiredLinkPage(basePath, { state, address: 'a•••@e•••.com', isSandbox }));
  for (const state of ['possible', 'sent'] as const) {
    assert.match(
      offer(state, true),
      /a•••@e•••\.com.*Sandbox: the message is only in the outbox\.\s+Sent with Bestow/s,
    );
    assert.match(offer(state, false), /(?:Send a new link|another link here\.)\s+Sent with Bestow/);
  }
});

test('recipient pages are hidden from search engines and have no navigation', () => {
  const address = 'a•••@e•••.com';
  const others = [
    expiredLinkPage(basePath, { state: 'impossible', senderName: 'Acme' }),
    ...(['possible', 'sent', 'exhausted'] as const).map((state) =>
      expiredLinkPage(basePath, { state, address, isSandbox: true }),
    ),
    unknownLinkPage(),
    foreignFormPage(basePath),
    failedPage(basePath),
  ];
  for (const document of [...states(), ...states({ artwork: null, isSandbox: false }), ...others]) {
    assertStrict(document);
    assert.match(document, /<meta name="robots" content="noindex, nofollow">/);
    assert.doesNotMatch(document, /\/docs/);
  }
});
