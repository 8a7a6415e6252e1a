import { html } from 'ghtml';
import { catalogue, type ErrorCode, errorCodes, type RetryClass } from '../errors.ts';
import { page } from '../pages/layout.ts';

const RETRY_CLASSES = {
  yes: {
    heading: 'Send it again',
    meaning: 'The same request can succeed after a short wait. Change nothing, and keep the Idempotency-Key.',
  },
  after_fix: {
    heading: 'Mend it, then send it again',
    meaning:
      'The request can succeed once what the error names is put right. Keep the Idempotency-Key: an error never uses it up.',
  },
  no: {
    heading: 'Do not send it again',
    meaning: 'The same request will get the same answer. Do what the error says instead.',
  },
} as const satisfies Record<RetryClass, { heading: string; meaning: string }>;

const CLASSES = Object.keys(RETRY_CLASSES) as RetryClass[];

const codesOf = (retry: RetryClass) => errorCodes.filter((code) => catalogue[code].retry === retry);

const sample = (publicUrl: string) =>
  JSON.stringify(
    {
      error: {
        type: 'invalid_request_error',
        code: 'parameter_invalid',
        message: 'gifts[0].amount must be a whole number of cents from 1000 to 50000.',
        param: 'gifts[0].amount',
        doc_url: `${publicUrl}/docs/errors#parameter_invalid`,
        request_id: 'req_01kahx8m2qf3b9t6v0z4d7y5we',
      },
    },
    null,
    2,
  );

const FIELDS = [
  ['type', 'The kind of error. Made for your code.'],
  ['code', 'What exactly happened: one of the codes on this page. Made for your code.'],
  ['message', 'The same for people. It may change at any time, so never let your code depend on it.'],
  ['param', 'The field, header or query parameter at fault, where there is one.'],
  ['doc_url', 'The place on this page that explains the code.'],
  ['request_id', 'Name it when you ask for help. Every answer carries it in the Request-Id header too.'],
] as const;

const entry = (code: ErrorCode) => {
  const { status, type, retry, message, cause, fix } = catalogue[code];
  return html`<article class="error" id="${code}">
<h3><a href="#${code}">${code}</a></h3>
<p class="kind">Status ${status} · <code>${type}</code> · retry: <code>${retry}</code></p>
<dl>
<dt>Message</dt><dd>${message}</dd>
<dt>Cause</dt><dd>${cause}</dd>
<dt>What to do</dt><dd>${fix}</dd>
</dl>
</article>`;
};

const section = (retry: RetryClass) => html`<h2 id="retry-${retry}">${RETRY_CLASSES[retry].heading}</h2>
<p>${RETRY_CLASSES[retry].meaning}</p>
!${codesOf(retry).map(entry)}`;

const index =
  () => html`<nav class="index" aria-label="Error codes"><details><summary>All ${errorCodes.length} codes</summary>
!${CLASSES.map(
    (retry) => html`<h2>${RETRY_CLASSES[retry].heading}</h2>
<ul>!${codesOf(retry).map((code) => html`<li><a href="#${code}">${code}</a></li>`)}</ul>`,
  )}
</details></nav>`;

/** Every code of the catalogue with its cause, its cure and when to send again. @param publicUrl without a final slash */
export function errorsPage(publicUrl: string): string {
  return page({
    title: 'Errors',
    description: 'What each error code of the API means, what to do about it, and when to send a request again.',
    wide: true,
    path: '/docs/errors',
    body: html`<div class="stack">
<h1>Errors</h1>
<p class="lead">An answer with an error means that nothing happened: no order, no charge, no gift. Each code says whether sending the request again can help.</p>
</div>
<div class="reference">
!${index()}
<div class="stack">
<h2 id="object">The error object</h2>
<pre tabindex="0" aria-label="Sample of an error object"><code>${sample(publicUrl)}</code></pre>
<div class="scroll" tabindex="0" role="region" aria-label="Fields of the error object"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>!${FIELDS.map(([field, meaning]) => html`<tr><th scope="row"><code>${field}</code></th><td>${meaning}</td></tr>`)}</tbody>
</table></div>
<h2 id="retry">When to send a request again</h2>
<p>Each code belongs to one of three retry classes: !${CLASSES.map((retry) => html`<a href="#retry-${retry}"><code>${retry}</code></a>`).join(', ')}.</p>
<p>Before you send again, wait as long as the <code>Retry-After</code> header says, in seconds. Every error of the class <code>yes</code> has it. From one try to the next, wait longer: 0.5 s, 1 s, 2 s and so on, but never more than 10 s. Make each wait a little random, so that your clients do not all come back at the same moment.</p>
<h2 id="unknown">No answer, or no error object</h2>
<p>A timeout, a lost connection, or a failure without an <code>error</code> object (from a gateway on the way, say) means that you cannot know what happened. The order may have been placed. Send the same request again with the same <code>Idempotency-Key</code>: you get the order that exists, or a new one, and never pay twice.</p>
!${CLASSES.map(section)}
</div>
</div>`,
  });
}
