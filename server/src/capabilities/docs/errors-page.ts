import { html } from 'ghtml';
import { errorReasons } from '../../platform/base/error-reasons.ts';
import { catalogue, type ErrorCode, errorCodes, type RetryClass } from '../../platform/base/errors.ts';
import type { Contents } from './guide-page.ts';
import { highlight } from './highlight.ts';
import type { SearchEntry } from './search.ts';

const RETRY_CLASSES = {
  yes: {
    heading: 'Retry',
    meaning: 'The same request can succeed after a short wait. Retry it unchanged, with the same Idempotency-Key.',
  },
  after_fix: {
    heading: 'Fix, then retry',
    meaning:
      'Fix the problem that the error names, then retry with the same Idempotency-Key: an error does not consume it.',
  },
  no: {
    heading: 'Do not retry',
    meaning: 'The same request gets the same answer. Do what the error says instead.',
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
  ['type', 'The kind of error. Your code may depend on it.'],
  ['code', 'The exact error: one of the codes on this page. Your code may depend on it.'],
  ['message', 'A text for people. It may change at any time, so your code must not depend on it.'],
  ['reason', 'One of the reasons below, if there is a finer one than the code.'],
  ['param', 'The wrong field, header or query parameter, if there is one.'],
  ['doc_url', 'A link to the code on this page.'],
  ['request_id', 'Give it when you ask for help. The Request-Id header of every answer has it too.'],
] as const;

const REASONS = Object.entries(errorReasons);

const RETRY_WORDS = { yes: 'Yes', after_fix: 'After a fix', no: 'No' } as const satisfies Record<RetryClass, string>;

const byStatus = [...errorCodes].sort((one, other) => catalogue[one].status - catalogue[other].status);

/** Every code in one table, with what a caller must know first. */
const overview = () => html`<div class="scroll" tabindex="0" role="region" aria-label="All error codes"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Retry?</th><th scope="col">Status</th></tr></thead>
<tbody>!${byStatus.map((code) => {
  const { status, retry } = catalogue[code];
  return html`<tr><th scope="row"><a href="#${code}"><code>${code}</code></a><td>${RETRY_WORDS[retry]}<td>${status}`;
})}</tbody>
</table></div>`;

const entry = (code: ErrorCode) => {
  const { status, type, retry, message, cause, fix } = catalogue[code];
  return html`<article id="${code}">
<h3><a href="#${code}">${code}</a></h3>
<p>Status ${status} · <code>${type}</code> · retry: <code>${retry}</code></p>
<dl><dt>Message<dd>${message}<dt>Cause<dd>${cause}<dt>What to do<dd>${fix}</dl>
</article>`;
};

const section = (
  retry: RetryClass,
) => html`<h2 id="retry-${retry}"><a href="#retry-${retry}">${RETRY_CLASSES[retry].heading}</a></h2>
<p>${RETRY_CLASSES[retry].meaning}</p>
<div class="errors">!${codesOf(retry).map(entry)}</div>`;

/** The links of “On this page”: the codes by retry class. */
export const errorsContents = (): Contents[] =>
  CLASSES.map((retry) => ({
    heading: RETRY_CLASSES[retry].heading,
    links: codesOf(retry).map((code) => ({ id: code, text: code })),
  }));

const errorsDescription = 'What each error code of the API means, how to fix it, and when to retry.';

const WAIT = `Wait as many seconds as the \`Retry-After\` header says; every error of class \`yes\` has it. Wait longer before each further attempt: 0.5 s, 1 s, 2 s and so on, at most 10 s. Add jitter, so that your clients do not all retry at the same moment.`;
const UNKNOWN = `After a timeout, a lost connection, or a failure without an \`error\` object (such as the 502 of a gateway, whose body is often HTML) the outcome is unknown. The order may exist. Retry with the same \`Idempotency-Key\`: you get the existing order or a new one, and never pay twice.`;

/** Search entries: the rules for retries, and one per code. */
export const errorEntries = (): SearchEntry[] => [
  ...[
    { id: 'retry', heading: 'When to retry', text: WAIT },
    { id: 'unknown', heading: 'No answer, or no error object', text: UNKNOWN },
  ].map((rule) => ({ ...rule, path: '/docs/errors', title: 'Errors', text: rule.text.replaceAll('`', '') })),
  ...errorCodes.map((code) => {
    const { status, type, message, cause, fix } = catalogue[code];
    const text = `${status} ${type}. ${message} ${cause} ${fix}`;
    return { path: '/docs/errors', title: 'Errors', id: code, heading: code, text };
  }),
];

/** Renders a text whose names stand in backticks. */
const marked = (text: string) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('');

/** Renders every code with its cause, fix and retry class. @param publicUrl without a final slash */
export function errorsBody(publicUrl: string): string {
  return html`<h1>Errors</h1>
<p class="lead">An answer with an error means that nothing happened: no order, no charge, no gift. Each code says whether a retry can help.</p>
<h2 id="codes"><a href="#codes">All codes</a></h2>
!${overview()}
<h2 id="object"><a href="#object">The error object</a></h2>
<pre tabindex="0" aria-label="Sample of an error object" data-language="JSON"><code>!${highlight(sample(publicUrl), 'json') ?? ''}</code></pre>
<div class="scroll" tabindex="0" role="region" aria-label="Fields of the error object"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>!${FIELDS.map(([field, meaning]) => html`<tr><th scope="row"><code>${field}</code></th><td>${meaning}</td></tr>`)}</tbody>
</table></div>
<h2 id="reasons"><a href="#reasons">Reasons</a></h2>
<ul>!${REASONS.map(([reason, meaning]) => html`<li><code>${reason}</code> ${meaning}`)}</ul>
<h2 id="retry"><a href="#retry">When to retry</a></h2>
<p>Each code belongs to one of three retry classes: !${CLASSES.map((retry) => html`<a href="#retry-${retry}"><code>${retry}</code></a>`).join(', ')}.</p>
<p>!${marked(WAIT)}</p>
<h2 id="unknown"><a href="#unknown">No answer, or no error object</a></h2>
<p>!${marked(UNKNOWN)}</p>
!${CLASSES.map(section)}`;
}

const entryMarkdown = (code: ErrorCode) => {
  const { status, type, retry, message, cause, fix } = catalogue[code];
  return `### \`${code}\`\n\nStatus ${status}, \`${type}\`, retry: \`${retry}\`.\n\n- Message: ${message}\n- Cause: ${cause}\n- What to do: ${fix}\n`;
};

/** Renders the same page as Markdown. */
export function errorsMarkdown(): string {
  const fields = FIELDS.map(([field, meaning]) => `| \`${field}\` | ${meaning} |`);
  const reasons = REASONS.map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`);
  const classes = CLASSES.map(
    (retry) =>
      `## ${RETRY_CLASSES[retry].heading}\n\nRetry class \`${retry}\`. ${RETRY_CLASSES[retry].meaning}\n\n${codesOf(retry).map(entryMarkdown).join('\n')}`,
  );
  return [
    '# Errors',
    errorsDescription,
    ['| Field of `error` | Meaning |', '| --- | --- |', ...fields].join('\n'),
    ['## Reasons', '', '| `reason` | Meaning |', '| --- | --- |', ...reasons].join('\n'),
    `## When to retry\n\n${WAIT}`,
    `## No answer, or no error object\n\n${UNKNOWN}`,
    ...classes,
  ].join('\n\n');
}
