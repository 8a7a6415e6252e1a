import { html } from 'ghtml';
import type { Contents } from './guide-page.ts';
import { homeOf, type Placed, type ReferenceDocument, type ResourceEntry } from './reference-document.ts';
import { HTML } from './reference-format.ts';
import { badge, type OperationPlace, operationSection, routeOf, samples } from './reference-operation.ts';
import { REFERENCE_PATH, resourcePath } from './reference-path.ts';
import { fields, type Place } from './reference-schema.ts';
import { renderInline, renderPart } from './render-markdown.ts';

export const INTRODUCTION = `Every operation, field and answer of \`/v1\`. Programs read the same as an [OpenAPI document](/v1/openapi.json).

Send your key as \`Authorization: Bearer …\`. A sandbox key begins with \`bestow-sandbox-\`, a live key with \`bestow-\`; to go live, change only the key. Amounts are whole cents.

Every answer has the header \`Request-Id\`; name it when you ask for help. \`RateLimit\` and \`RateLimit-Policy\` say how many requests remain. Every error has [the same shape](/docs/errors#object) and means that nothing happened.`;

/** What most programs do first. */
const isFirst = ({ operation }: Placed) => operation.operationId === 'createOrder';

/** Anchors of earlier versions, when the reference was one page. */
const anchorOf = ({ name }: ResourceEntry) => `about-${name.toLowerCase()}`;

/** The first paragraph, in one line. */
export const briefOf = ({ description }: ResourceEntry): string => description.split('\n\n')[0] ?? '';

export interface ReferenceOptions {
  document: ReferenceDocument;
  resources: readonly ResourceEntry[];
  /** Without a final slash. */
  publicUrl: string;
}

interface RowOptions {
  /** The page of the operation, if the row is on another one. */
  path: string;
  /** Whether the row has the operation's anchor. */
  isAnchor: boolean;
}

const row = (
  { method, path = '', operation: { operationId, summary } }: Placed,
  { path: page, isAnchor }: RowOptions,
) =>
  html`<li!${isAnchor ? html` id="${operationId}"` : ''}><a href="${page}#${operationId}">!${badge(method)}!${routeOf(path)}<span>${summary}</span></a></li>
`;

const operationRows = ({ operations }: ResourceEntry, options: RowOptions) =>
  html`<ul class="operations">
!${operations.map((placed) => row(placed, options))}</ul>`;

const objectRows = ({ name, objects }: ResourceEntry) =>
  objects.map(
    (object) => html`<li id="${object}"><a href="${resourcePath(name)}#${object}"><code>${object}</code></a></li>
`,
  );

export const overviewContents = (resources: readonly ResourceEntry[]): Contents[] => [
  {
    links: [
      ...resources.map((resource) => ({ id: anchorOf(resource), text: resource.name })),
      { id: 'objects', text: 'Objects' },
    ],
  },
];

/** Renders the first page of the reference: a sample, every resource with its operations, and every object. */
export function overviewBody({ document, resources, publicUrl }: ReferenceOptions): string {
  const first = resources.flatMap(({ operations }) => operations).find(isFirst);
  return html`<h1>API reference</h1>
!${renderPart(INTRODUCTION, 'API reference')}
<p>An order, in your language:</p>
!${first === undefined ? '' : samples(first, { document, publicUrl })}
!${resources.map(
    (resource) => html`<h2 id="${anchorOf(resource)}"><a href="${resourcePath(resource.name)}">${resource.name}</a></h2>
<p>!${renderInline(briefOf(resource))}</p>
!${operationRows(resource, { path: resourcePath(resource.name), isAnchor: true })}`,
  )}
<h2 id="objects"><a href="#objects">Objects</a></h2>
<p>What answers hold, each on the page of its resource.</p>
<ul class="objects">!${resources.flatMap(objectRows)}</ul>`;
}

const object = (name: string, place: Place) => html`<h3 id="${name}"><a href="#${name}">${name}</a></h3>
!${renderPart(place.schemas[name]?.description ?? '', name)}
!${fields({ $ref: name }, place)}
`;

/** The links of “On this page”. */
export const resourceContents = ({ operations, objects }: ResourceEntry): Contents[] => [
  {
    heading: 'Operations',
    links: operations.map(({ operation }) => ({ id: operation.operationId, text: operation.summary })),
  },
  ...(objects.length === 0 ? [] : [{ heading: 'Objects', links: objects.map((name) => ({ id: name, text: name })) }]),
];

/** Renders the page of a resource: its operations, and the objects at home there. */
export function resourceBody(resource: ResourceEntry, { document, resources, publicUrl }: ReferenceOptions): string {
  const addressOf = (name: string) => {
    const home = homeOf(name, resources) ?? resource;
    return home === resource ? `#${name}` : `${resourcePath(home.name)}#${name}`;
  };
  const place: OperationPlace = { document, publicUrl, schemas: document.components.schemas, format: HTML, addressOf };
  const { name, description, operations, objects } = resource;
  return html`<p class="above"><a href="${REFERENCE_PATH}">API reference</a></p>
<h1>${name}</h1>
!${renderPart(description, name)}
!${operationRows(resource, { path: '', isAnchor: false })}
!${operations.map((placed) => operationSection(placed, place))}
!${
    objects.length === 0
      ? ''
      : html`<h2 id="objects"><a href="#objects">Objects</a></h2>
<p>What answers hold. Ignore fields that you do not know: more may come.</p>
!${objects.map((name) => object(name, { ...place, isRequest: false }))}`
  }`;
}
