import { html } from 'ghtml';
import { page } from './layout.ts';

const artwork = (id: string) => html`<img class="artwork" src="/artwork/${id}.svg" width="1200" height="756" alt="">`;

/** The landing page. */
export const landingPage = page({
  title: 'Bestow',
  description: 'Order gifts from your own software and have them delivered.',
  wide: true,
  body: html`<div class="hero">
<div class="stack">
<h1>Send a gift with one request</h1>
<p class="lead">Bestow lets your software buy gifts and send them to people by email, by phone or as a link. You pay from a balance, and each person picks the moment to open their gift.</p>
<p class="actions"><a class="button primary" href="/docs/quickstart">Send a first gift</a> <a class="button" href="/catalog">See the catalog</a></p>
<p>Something went wrong? <a href="/docs/errors">Look up an error</a>.</p>
</div>
<div class="fan">!${['travel', 'wellness', 'coffee'].map(artwork)}</div>
</div>`,
});
