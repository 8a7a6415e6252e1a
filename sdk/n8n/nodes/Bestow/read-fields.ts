import type { INodeProperties } from 'n8n-workflow';

const ofLists = { resource: ['gift', 'order'], operation: ['getAll'] };

/** Orders, the balance, and how many of a list are returned. */
export const readFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['order'] } },
    options: [
      {
        name: 'Cancel',
        value: 'cancel',
        action: 'Cancel an order',
        description: 'Take every unclaimed gift of an order back',
        routing: {
          request: {
            method: 'POST',
            url: '=/v1/orders/{{encodeURIComponent($parameter["orderId"])}}/cancel',
            headers: { 'Idempotency-Key': '=n8n-cancel-{{$parameter["orderId"]}}' },
          },
        },
      },
      {
        name: 'Get',
        value: 'get',
        action: 'Get an order',
        routing: { request: { method: 'GET', url: '=/v1/orders/{{encodeURIComponent($parameter["orderId"])}}' } },
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many orders',
        routing: { request: { method: 'GET', url: '/v1/orders' } },
      },
    ],
    default: 'get',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['balance'] } },
    options: [
      {
        name: 'Get',
        value: 'get',
        action: 'Get the balance',
        routing: { request: { method: 'GET', url: '/v1/balance' } },
      },
    ],
    default: 'get',
  },
  {
    displayName: 'Order ID',
    name: 'orderId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
    displayOptions: { show: { resource: ['order'], operation: ['get', 'cancel'] } },
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: { show: ofLists },
    routing: {
      send: { paginate: '={{ $value }}', type: 'query', property: 'limit', value: '={{ $value ? 100 : undefined }}' },
      output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
      operations: {
        pagination: {
          type: 'generic',
          properties: {
            continue: '={{ $response.body.has_more }}',
            request: {
              qs: {
                starting_after: '={{ $response.body.data.at(-1)?.[$parameter["resource"] + "_id"] }}',
              },
            },
          },
        },
      },
    },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...ofLists, returnAll: [false] } },
    routing: { send: { type: 'query', property: 'limit' } },
  },
];
