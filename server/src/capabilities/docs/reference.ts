import { inlineAnswers } from '../../platform/api/v1-document.ts';
import type { Resource } from './api-description.ts';
import { guidePage, type Neighbour } from './guide-page.ts';
import { type ReferenceDocument, type ResourceEntry, resourcesOf } from './reference-document.ts';
import { overviewMarkdown, resourceMarkdown } from './reference-markdown.ts';
import { briefOf, overviewBody, overviewContents, resourceBody, resourceContents } from './reference-page.ts';
import { REFERENCE_PATH, resourceMarkdownPath, resourcePath } from './reference-path.ts';
import { fieldNames } from './reference-schema.ts';
import { plainText } from './render-markdown.ts';
import type { SearchEntry } from './search.ts';
import { type Document, documentOf } from './send-document.ts';

interface ReferenceOptions {
  /** Makes the OpenAPI document of `/v1`. */
  describe: () => object;
  /** Without a final slash. */
  publicUrl: string;
  frame: Pick<Parameters<typeof guidePage>[0], 'titles' | 'stylePath' | 'scriptPath'>;
}

/** The API reference, rendered page by page with the first call. */
export interface Reference {
  /** @param name undefined for the overview */
  page(name: Resource | undefined): Document;
  /** @param name undefined for the overview */
  markdown(name: Resource | undefined): string;
  searchEntries(): SearchEntry[];
}

const OVERVIEW: Neighbour = { path: REFERENCE_PATH, title: 'API reference' };

const neighbourOf = (resource: ResourceEntry | undefined): Neighbour | undefined =>
  resource && { path: resourcePath(resource.name), title: resource.name };

export function createReference({ describe, publicUrl, frame }: ReferenceOptions): Reference {
  let made: { document: ReferenceDocument; resources: ResourceEntry[] } | undefined;
  const described = () => {
    if (made === undefined) {
      const document = inlineAnswers(describe() as ReferenceDocument);
      made = { document, resources: resourcesOf(document) };
    }
    return made;
  };

  function overview(): string {
    const { document, resources } = described();
    return guidePage({
      ...frame,
      path: REFERENCE_PATH,
      title: 'API reference',
      description: 'Every operation, field and answer of the Bestow API.',
      body: overviewBody({ document, resources, publicUrl }),
      contents: overviewContents(resources),
      onward: { markdownPath: resourceMarkdownPath(), previous: undefined, next: neighbourOf(resources[0]) },
    });
  }

  function resourcePage(name: Resource): string {
    const { document, resources } = described();
    const index = resources.findIndex((resource) => resource.name === name);
    const resource = resources[index] as ResourceEntry;
    return guidePage({
      ...frame,
      path: resourcePath(name),
      title: `${name} · API reference`,
      description: plainText(briefOf(resource)),
      body: resourceBody(resource, { document, resources, publicUrl }),
      contents: resourceContents(resource),
      onward: {
        markdownPath: resourceMarkdownPath(name),
        previous: neighbourOf(resources[index - 1]) ?? OVERVIEW,
        next: neighbourOf(resources[index + 1]),
      },
    });
  }

  function markdownOf(name: Resource | undefined): string {
    const { document, resources } = described();
    const resource = resources.find((one) => one.name === name);
    return resource === undefined
      ? overviewMarkdown(resources)
      : resourceMarkdown(resource, { document, resources, publicUrl });
  }

  const markdowns = new Map<Resource | undefined, string>();
  const pages = new Map<Resource | undefined, Document>();
  return {
    page(name) {
      const document = pages.get(name) ?? documentOf(name === undefined ? overview() : resourcePage(name));
      pages.set(name, document);
      return document;
    },
    markdown(name) {
      const text = markdowns.get(name) ?? markdownOf(name);
      markdowns.set(name, text);
      return text;
    },
    searchEntries() {
      const { document, resources } = described();
      return resources.flatMap((resource) => entriesOf(resource, document));
    },
  };
}

/** Search entries: one for each operation and each object. */
function entriesOf({ name, operations, objects }: ResourceEntry, { components }: ReferenceDocument): SearchEntry[] {
  const common = { path: resourcePath(name), title: `API reference: ${name}` };
  const { schemas } = components;
  return [
    ...operations.map(
      ({ method, path = '', operation: { operationId, summary, description, parameters = [], requestBody } }) => {
        const body =
          requestBody === undefined ? [] : fieldNames(requestBody.content['application/json'].schema, schemas);
        const names = [...new Set([...parameters.map((parameter) => parameter.name), ...body])];
        const text = `${method} ${path} ${operationId}. ${plainText(description)} ${names.join(', ')}`;
        return { ...common, id: operationId, heading: summary, text: text.trim() };
      },
    ),
    ...objects.map((object) => {
      const names = fieldNames({ $ref: object }, schemas, false).join(', ');
      return {
        ...common,
        id: object,
        heading: object,
        text: `${plainText(schemas[object]?.description ?? '')} ${names}`,
      };
    }),
  ];
}
