import { html } from 'ghtml';
import { page } from './layout.ts';
import { wrappedGiftPath } from './wrapped-gift.ts';

const SAMPLE = `curl $BESTOW_URL/v1/orders \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: ada-1843" \\
  -H "Content-Type: application/json" \\
  -d '{"gifts": [{"amount": 2500, "category": "coffee",
       "delivery": {"method": "email", "email": "ada@example.com"}}]}'`;

/** Opens without a script: a `details` element, so that the keyboard and screen readers can use it. */
const phone = html`<div class="phone"><details class="screen">
<summary><img class="picture" src="${wrappedGiftPath}" width="1200" height="630" alt="A wrapped gift">
<strong>Charles has sent you a gift</strong><span class="button primary">Unwrap it</span><span class="again">Wrap it again</span></summary>
<div class="unwrapped"><img class="artwork" src="/artwork/coffee.svg" width="1200" height="756" alt="">
<p class="amount">$25.00</p><p>for Coffee</p><blockquote>“Thank you for the first program.”</blockquote></div>
</details></div>`;

const links = [
  ['/docs/quickstart', 'Quickstart', 'A first gift in five minutes.'],
  ['/docs/api', 'API reference', 'Every operation, field and error.'],
  ['/catalog', 'Catalog', 'What people can be given.'],
  ['/find', 'Find a gift', 'For people who lost their link.'],
] as const;

/** Without its address, which another user of the machine must not read here. */
const outboxLink = ['/docs/sandbox#messages', 'Outbox', 'Messages of this machine: bestow outbox url'] as const;

/** The landing page. @param stylePath of landing.css */
export const landingPage = (stylePath: string, publicUrl: string, hasOutbox: boolean): string =>
  page({
    title: 'Bestow',
    description: 'Order gifts from your own software and have them delivered.',
    wide: true,
    stylePath,
    preview: {
      title: 'Bestow: send a gift with one request',
      pictureUrl: publicUrl + wrappedGiftPath,
      hasIcon: true,
    },
    body: html`<div class="hero">
<div class="stack">
<h1>Send a gift with one request</h1>
<p class="lead">Bestow lets your software buy gifts and send them to people by email, by phone or as a link. You pay from a balance, and each person picks the moment to open their gift.</p>
<p class="actions"><a class="button primary" href="/docs/quickstart">Send a first gift</a> <a class="button" href="/portal">Sign in</a></p>
<pre class="sample" tabindex="0" aria-label="An order with curl"><code>${SAMPLE}</code></pre>
</div>
!${phone}
</div>
<ul class="links">!${[...links, ...(hasOutbox ? [outboxLink] : [])].map(([path, name, text]) => html`<li><a href="${path}">${name}</a><span>${text}</span></li>`)}</ul>`,
  });
