import type { INodeProperties } from 'n8n-workflow';

const ofSend = { show: { resource: ['gift'], operation: ['send'] } };

/** What sending a gift takes. */
export const giftFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['gift'] } },
    options: [
      {
        name: 'Cancel',
        value: 'cancel',
        action: 'Cancel a gift',
        description: 'Take an unclaimed gift back; its amount returns to the balance',
        routing: {
          request: {
            method: 'POST',
            url: '=/v1/gifts/{{encodeURIComponent($parameter["giftId"])}}/cancel',
            headers: { 'Idempotency-Key': '=n8n-cancel-{{$parameter["giftId"]}}' },
          },
        },
      },
      {
        name: 'Get',
        value: 'get',
        action: 'Get a gift',
        routing: { request: { method: 'GET', url: '=/v1/gifts/{{encodeURIComponent($parameter["giftId"])}}' } },
      },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many gifts',
        routing: { request: { method: 'GET', url: '/v1/gifts' } },
      },
      {
        name: 'Send',
        value: 'send',
        action: 'Send a gift',
        description: 'Buy a gift and send it, once per value of a field',
        routing: {
          request: {
            method: 'POST',
            url: '/v1/orders',
            // It never holds the workflow or execution: a second run by hand would send a second gift.
            headers: { 'Idempotency-Key': '=n8n-{{encodeURIComponent(String($parameter["sendOncePer"]).trim())}}' },
          },
        },
      },
    ],
    default: 'send',
  },
  {
    displayName: 'Send Once Per',
    name: 'sendOncePer',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'birthday-2027-{{ $json.employee_id }}',
    description:
      'Names the reason for this one gift, such as birthday-2027- and the ID of the employee. The same value sends and charges once for ever, also when the workflow runs again. It must differ for each gift that you want, and must not hold a name or an address.',
    displayOptions: ofSend,
    routing: {
      // Otherwise an expression without a value would give every item the same key.
      send: {
        preSend: [
          async function requireValue(this, request) {
            const value = String(this.getNodeParameter('sendOncePer') ?? '').trim();
            if (value === '') throw new TypeError('“Send Once Per” has no value for this item, so nothing was sent.');
            // An expression without a value after a fixed beginning.
            if (/[-_:./#]$|\b(?:undefined|null)$/.test(value))
              throw new TypeError(
                `“Send Once Per” is “${value}”: the end that tells this gift from others is missing, so nothing was sent.`,
              );
            return request;
          },
        ],
      },
    },
  },
  {
    displayName: 'Amount',
    name: 'amount',
    type: 'number',
    typeOptions: { minValue: 1 },
    required: true,
    default: 2500,
    description: 'In cents',
    displayOptions: ofSend,
    routing: { send: { type: 'body', property: 'gifts[0].amount' } },
  },
  {
    displayName: 'Category',
    name: 'category',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'coffee',
    description: 'The id of a category of the catalog; of the category any, the recipient chooses another one',
    displayOptions: ofSend,
    routing: { send: { type: 'body', property: 'gifts[0].category' } },
  },
  {
    displayName: 'Email',
    name: 'email',
    type: 'string',
    placeholder: 'name@email.com',
    required: true,
    default: '',
    displayOptions: ofSend,
    routing: {
      send: { type: 'body', property: 'gifts[0].delivery', value: '={{ ({ method: "email", email: $value }) }}' },
    },
  },
  {
    displayName: 'Recipient Name',
    name: 'recipientName',
    type: 'string',
    default: '',
    displayOptions: ofSend,
    routing: {
      send: { type: 'body', property: 'gifts[0].personalization.recipient_name', value: '={{ $value || undefined }}' },
    },
  },
  {
    displayName: 'Message',
    name: 'message',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    displayOptions: ofSend,
    routing: {
      send: { type: 'body', property: 'gifts[0].personalization.message', value: '={{ $value || undefined }}' },
    },
  },
  {
    displayName: 'Gift ID',
    name: 'giftId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
    displayOptions: { show: { resource: ['gift'], operation: ['get', 'cancel'] } },
  },
];
