import { html } from 'ghtml';
import { catalogue } from '../../platform/base/errors.ts';
import { curlSample } from './curl-sample.ts';
import { highlight } from './highlight.ts';
import { pythonSample } from './python-sample.ts';
import { type Answer, type Operation, type Placed, type ReferenceDocument, successesOf } from './reference-document.ts';
import { fieldList, fields, nameOf, type Place } from './reference-schema.ts';
import { renderInline, renderPart } from './render-markdown.ts';
import { sampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript-sample.ts';
import { writeJson } from './write-value.ts';

/** What the operations of a page have in common. */
export interface OperationPlace extends Omit<Place, 'isRequest'> {
  document: ReferenceDocument;
  /** Without a final slash. */
  publicUrl: string;
}

const LANGUAGES = {
  sh: { name: 'Shell', label: 'curl' },
  ts: { name: 'TypeScript', label: 'TypeScript' },
  py: { name: 'Python', label: 'Python' },
  json: { name: 'JSON', label: 'JSON' },
} as const;

function sample(text: string, language: keyof typeof LANGUAGES, heading: string): string {
  const { name, label } = LANGUAGES[language];
  const tab = label === name ? '' : html` data-label="${label}"`;
  return html`<pre tabindex="0" aria-label="${heading} (${label})" data-language="${name}"!${tab}><code>!${highlight(text, language) ?? ''}</code></pre>
`;
}

/** The same request in each language. */
export function samplesOf(placed: Placed, { document, publicUrl }: Pick<OperationPlace, 'document' | 'publicUrl'>) {
  const request = sampleRequest(placed, document);
  return {
    sh: curlSample(publicUrl, request),
    ts: typescriptSample(publicUrl, request),
    py: pythonSample(publicUrl, request),
  };
}

/** Renders the samples of an operation. */
export function samples(placed: Placed, place: Pick<OperationPlace, 'document' | 'publicUrl'>): string {
  if (placed.path === undefined) return '';
  const { sh, ts, py } = samplesOf(placed, place);
  const { summary } = placed.operation;
  return html`<div class="samples">
!${sample(sh, 'sh', summary)}!${sample(ts, 'ts', summary)}!${sample(py, 'py', summary)}</div>`;
}

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

/** The parameters by place, with a heading. */
export const parameterLists = ({ parameters = [] }: Operation, place: Place): { heading: string; list: string }[] =>
  (['path', 'query', 'header'] as const)
    .map((where) => ({ where, here: parameters.filter((parameter) => parameter.in === where) }))
    .filter(({ here }) => here.length > 0)
    .map(({ where, here }) => {
      const list = here.map(({ required, ...rest }) => ({ ...rest, isRequired: required }));
      return { heading: PLACES[where], list: fieldList(list, place) };
    });

const bodyFields = ({ requestBody }: Operation, place: Place) =>
  requestBody === undefined
    ? ''
    : html`<h3 class="part">Body!${requestBody.required === true ? '' : ' <small>optional</small>'}</h3>
!${fields(requestBody.content['application/json'].schema, place)}`;

function answer(status: string, { description, headers = {}, content }: Answer, summary: string, place: Place): string {
  const media = content?.['application/json'];
  const own = Object.entries(headers).filter(([, { $ref }]) => $ref === undefined);
  const example = media?.example === undefined ? undefined : writeJson(media.example);
  const name = media?.schema.$ref === undefined ? undefined : nameOf(media.schema.$ref);
  return html`<p class="status"><strong>${status}</strong> !${name === undefined ? '' : html`<a href="${place.addressOf(name)}">${name}</a> `}!${renderInline(description)}</p>
!${own.map(([header, { description: text = '' }]) => html`<p><code>${header}</code> !${renderInline(text)}</p>`)}
!${example === undefined ? '' : html`<details><summary>Example of ${status}</summary>!${sample(example, 'json', `${summary}: example of ${status}`)}</details>`}`;
}

function errorList(errors: Operation['x-errors']): string {
  const rows = Object.entries(errors ?? {}).flatMap(([status, codes]) =>
    codes.map(
      (code) =>
        html`<li><strong>${status}</strong> <a href="/docs/errors#${code}"><code>${code}</code></a> ${catalogue[code].message}</li>`,
    ),
  );
  return rows.length === 0
    ? ''
    : html`<details><summary>Errors (${rows.length})</summary><ul class="fields">!${rows}</ul></details>`;
}

/** The method as a badge. */
export const badge = (method: string): string => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

/** A path, which breaks before each part. @param path undefined if the service calls the reader */
export const routeOf = (path: string | undefined): string =>
  path === undefined
    ? html`<code>your address</code>`
    : html`<code>!${html`${path}`.replaceAll(/(?<=.)\//g, '<wbr>/')}</code>`;

/** Renders an operation: how to call it, what it takes, what it answers. */
export function operationSection(placed: Placed, place: OperationPlace): string {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  const request = { ...place, isRequest: true };
  return html`<h2 id="${operationId}" class="operation"><a href="#${operationId}">${summary}</a></h2>
<p class="route">!${badge(method)} !${routeOf(path)}</p>
!${renderPart(description, summary)}
!${samples(placed, place)}
!${parameterLists(operation, request).map(({ heading, list }) => html`<h3 class="part">${heading}</h3>!${list}`)}
!${bodyFields(operation, request)}
<h3 class="part">Answer</h3>
!${successesOf(operation).map(([status, content]) => answer(status, content, summary, { ...place, isRequest: false }))}
!${errorList(operation['x-errors'])}
`;
}
