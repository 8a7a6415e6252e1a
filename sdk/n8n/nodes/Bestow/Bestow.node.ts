import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { giftFields } from './gift-fields.ts';
import { readFields } from './read-fields.ts';

/** The operations of `/v1` that workflows need. */
export class Bestow implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Bestow',
    name: 'bestow',
    icon: { light: 'file:../../icons/bestow.svg', dark: 'file:../../icons/bestow.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Buy gifts and send them to people',
    defaults: { name: 'Bestow' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'bestowApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Balance', value: 'balance' },
          { name: 'Gift', value: 'gift' },
          { name: 'Order', value: 'order' },
        ],
        default: 'gift',
      },
      ...giftFields,
      ...readFields,
    ],
  };
}
