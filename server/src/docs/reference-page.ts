import { html } from 'ghtml';
import { catalogue, type ErrorCode } from '../errors.ts';
import { curlSample } from './curl-sample.ts';
import type { Contents } from './guide-page.ts';
import { highlight } from './highlight.ts';
import { fieldList, fields, nameOf, objectsIn, type Schema, type Schemas } from './reference-schema.ts';
import { renderInline, renderPart } from './render-markdown.ts';

interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Answer {
  description: string;
  headers?: Record<string, { $ref?: string; description?: string }>;
  content?: { 'application/json': Media };
}

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: { 'application/json': Media } };
  responses: Record<string, Answer>;
  'x-errors': Record<string, ErrorCode[]>;
}

/** What the page shows of the OpenAPI document of `/v1`. */
export interface ReferenceDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
}

interface Placed {
  method: string;
  path: string;
  operation: Operation;
}

const operationsOf = ({ paths }: ReferenceDocument, tag: string): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const successesOf = ({ responses }: Operation) => Object.entries(responses).filter(([status]) => status !== 'default');

/** Names of the objects that answers hold, in alphabetical order. */
const objectNames = ({ paths, components: { schemas } }: ReferenceDocument): string[] => {
  const found = new Set<string>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const [, { content }] of successesOf(operation))
      if (content !== undefined) objectsIn(content['application/json'].schema, schemas, found);
  return [...found].sort();
};

const sample = (text: string, language: 'sh' | 'json', label: string) =>
  html`<pre tabindex="0" aria-label="${label}" data-language="${language === 'sh' ? 'Shell' : 'JSON'}"><code>!${highlight(text, language) ?? ''}</code></pre>`;

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

const parameterLists = ({ parameters = [] }: Operation, schemas: Schemas) =>
  (['path', 'query', 'header'] as const).map((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    const list = here.map(({ name, schema, required, description }) => ({
      name,
      schema,
      isRequired: required,
      description,
    }));
    return list.length === 0 ? '' : html`<h4>${PLACES[place]}</h4>!${fieldList(list, { schemas, isRequest: true })}`;
  });

const bodyFields = ({ requestBody }: Operation, schemas: Schemas) =>
  requestBody === undefined
    ? ''
    : html`<h4>Body!${requestBody.required === true ? '' : ' <small>optional</small>'}</h4>
!${fields(requestBody.content['application/json'].schema, { schemas, isRequest: true })}`;

const answer = (status: string, { description, headers = {}, content }: Answer, summary: string) => {
  const media = content?.['application/json'];
  const own = Object.entries(headers).filter(([, { $ref }]) => $ref === undefined);
  const example = media?.example === undefined ? undefined : JSON.stringify(media.example, null, 2);
  return html`<p><strong>${status}</strong> !${media?.schema.$ref === undefined ? '' : html`<a href="#${nameOf(media.schema.$ref)}">${nameOf(media.schema.$ref)}</a> `}!${renderInline(description)}</p>
!${own.map(([name, header]) => html`<p><code>${name}</code> !${renderInline(header.description ?? '')}</p>`)}
!${example === undefined ? '' : html`<details><summary>Example of ${status}</summary>!${sample(example, 'json', `${summary}: example of ${status} (JSON)`)}</details>`}`;
};

const errorList = (errors: Operation['x-errors']) => {
  const rows = Object.entries(errors).flatMap(([status, codes]) =>
    codes.map(
      (code) =>
        html`<li><strong>${status}</strong> <a href="/docs/errors#${code}"><code>${code}</code></a> ${catalogue[code].message}</li>`,
    ),
  );
  return html`<details><summary>Errors (${rows.length})</summary><ul class="fields">!${rows}</ul></details>`;
};

const section = ({ method, path, operation }: Placed, publicUrl: string, schemas: Schemas) =>
  html`<h3 id="${operation.operationId}"><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="route"><strong>${method}</strong> <code>${path}</code></p>
!${renderPart(operation.description, operation.summary)}
!${sample(curlSample(publicUrl, method, path, operation), 'sh', `${operation.summary} (Shell)`)}
!${parameterLists(operation, schemas)}
!${bodyFields(operation, schemas)}
<h4>Answer</h4>
!${successesOf(operation).map(([status, content]) => answer(status, content, operation.summary))}
!${errorList(operation['x-errors'])}
`;

const object = (name: string, schemas: Schemas) => html`<h3 id="${name}"><a href="#${name}">${name}</a></h3>
!${renderPart(schemas[name]?.description ?? '', name)}
!${fields({ $ref: name }, { schemas, isRequest: false })}
`;

const INTRODUCTION = `Every operation, field and answer of \`/v1\`. Programs read the same as an [OpenAPI document](/v1/openapi.json).

Send your key as \`Authorization: Bearer …\`. A sandbox key begins with \`bestow-sandbox-\`, a live key with \`bestow-\`; to go live, change only the key. Amounts are whole cents.

Every answer has the header \`Request-Id\`; name it when you ask for help. \`RateLimit\` and \`RateLimit-Policy\` say how many requests remain. Every error has [the same shape](/docs/errors#object) and means that nothing happened.`;

/** The links of “On this page”. */
export const referenceContents = (document: ReferenceDocument): Contents[] => [
  ...document.tags.map(({ name }) => ({
    heading: name,
    links: operationsOf(document, name).map(({ operation }) => ({
      id: operation.operationId,
      text: operation.summary,
    })),
  })),
  { heading: 'Objects', links: objectNames(document).map((name) => ({ id: name, text: name })) },
];

/** Renders the API reference from the OpenAPI document. @param publicUrl without a final slash */
export function referenceBody(document: ReferenceDocument, publicUrl: string): string {
  const { schemas } = document.components;
  const idOf = (tag: string) => `about-${tag.toLowerCase()}`;
  return html`<h1>API reference</h1>
!${renderPart(INTRODUCTION, 'API reference')}
!${document.tags.map(
    ({ name, description }) => html`<h2 id="${idOf(name)}"><a href="#${idOf(name)}">${name}</a></h2>
!${renderPart(description, name)}
!${operationsOf(document, name).map((placed) => section(placed, publicUrl, schemas))}`,
  )}
<h2 id="objects"><a href="#objects">Objects</a></h2>
<p>What answers hold. Ignore fields that you do not know: more may come.</p>
!${objectNames(document).map((name) => object(name, schemas))}`;
}
