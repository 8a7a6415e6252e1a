import { stringify } from 'yaml';

interface Field {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
}

interface Document {
  components: { schemas: Record<string, { properties: Record<string, Field> }> };
}

/** The names of the streams, and what their records are. */
const LISTS = {
  gifts: { path: '/v1/gifts', schema: 'Gift', key: 'gift_id', linksIn: [] },
  orders: { path: '/v1/orders', schema: 'Order', key: 'order_id', linksIn: ['gifts', '*'] },
  balance_entries: { path: '/v1/balance/entries', schema: 'BalanceEntry', key: 'entry_id', linksIn: undefined },
};

const RECORDS = { type: 'RecordSelector', extractor: { type: 'DpathExtractor', field_path: ['data'] } };
/** Who has the link of a gift can claim it. */
const withoutLinks = (path: string[]) => ({
  transformations: [{ type: 'RemoveFields', field_pointers: [[...path, 'delivery', 'link']] }],
});
const MOST = '100';
const MOST_EVENTS = '1000';

/** The connector of Airbyte for an installation: a manifest for its Builder, or for `source-declarative-manifest`. */
export function airbyteManifest(openapi: string): string {
  const document = JSON.parse(openapi) as Document;
  const lists = Object.entries(LISTS).map(([name, { path, schema, key, linksIn }]) => ({
    ...streamOf(document, { name, schema, key }),
    ...(linksIn && withoutLinks(linksIn)),
    retriever: {
      type: 'SimpleRetriever',
      requester: { $ref: '#/definitions/requester', path, request_parameters: { limit: MOST } },
      record_selector: RECORDS,
      paginator: paginatorOf(`{{ last_record['${key}'] }}`, {
        page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'starting_after' },
      }),
    },
  }));
  const manifest = {
    version: '7.0.0',
    type: 'DeclarativeSource',
    check: { type: 'CheckStream', stream_names: ['gifts'] },
    definitions: {
      requester: {
        type: 'HttpRequester',
        url_base: "{{ config['base_url'] }}",
        http_method: 'GET',
        authenticator: { type: 'BearerAuthenticator', api_token: "{{ config['api_key'] }}" },
      },
    },
    streams: [...lists, eventsOf(document)],
    spec: { type: 'Spec', connection_specification: SPECIFICATION },
  };
  return `# Written by \`npm run generate\` from openapi.json.\n${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

const SPECIFICATION = {
  type: 'object',
  required: ['base_url', 'api_key'],
  properties: {
    base_url: {
      type: 'string',
      title: 'Address',
      description: 'Of your Bestow, such as https://gifts.example.com',
      order: 0,
    },
    api_key: { type: 'string', title: 'API key', description: 'Live or sandbox.', airbyte_secret: true, order: 1 },
  },
};

const paginatorOf = (cursor: string, option: object) => ({
  type: 'DefaultPaginator',
  ...option,
  pagination_strategy: {
    type: 'CursorPagination',
    cursor_value: cursor,
    stop_condition: "{{ not response['has_more'] }}",
  },
});

const AFTER = `{% set after = next_page_token['next_page_token'] if next_page_token else stream_interval['start'] %}
{{ {'limit': '${MOST_EVENTS}', 'after': after} if after else {'limit': '${MOST_EVENTS}'} }}`;

/** Reads on from the last event of the run before. */
const eventsOf = (document: Document) => ({
  ...streamOf(document, { name: 'events', schema: 'Event', key: 'event_id' }),
  incremental_sync: { type: 'IncrementingCountCursor', cursor_field: 'sequence', start_value: 0 },
  retriever: {
    type: 'SimpleRetriever',
    requester: {
      $ref: '#/definitions/requester',
      path: '/v1/events',
      // Without `after` the first run begins with the first event that is still held.
      request_parameters: AFTER,
    },
    record_selector: RECORDS,
    paginator: paginatorOf("{{ response['next_after'] }}", {}),
  },
});

function streamOf({ components }: Document, { name, schema, key }: { name: string; schema: string; key: string }) {
  const fields = Object.entries(components.schemas[schema]?.properties ?? {});
  const properties = Object.fromEntries(fields.map(([field, one]) => [field, typeOf(one)]));
  return {
    type: 'DeclarativeStream',
    name,
    primary_key: [key],
    schema_loader: { type: 'InlineSchemaLoader', schema: { type: 'object', additionalProperties: true, properties } },
  };
}

/** A field may be absent, and objects may grow. */
function typeOf({ type = 'object', format, description }: Field): object {
  const [first] = [type].flat();
  return {
    type: [first, 'null'],
    ...(format === 'date-time' && { format }),
    ...(description !== undefined && { description }),
    ...(first === 'object' && { additionalProperties: true }),
    ...(first === 'array' && { items: { type: 'object', additionalProperties: true } }),
  };
}
