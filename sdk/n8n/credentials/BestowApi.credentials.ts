import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

/** An API key, and where its Bestow is. */
export class BestowApi implements ICredentialType {
  name = 'bestowApi';

  displayName = 'Bestow API';

  icon: Icon = { light: 'file:../icons/bestow.svg', dark: 'file:../icons/bestow.dark.svg' };

  documentationUrl = 'https://bestow.example/docs/languages#connectors';

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://gifts.example.com',
      description: 'Of your Bestow, without a slash at the end',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: 'A key of the sandbox begins with bestow-sandbox-',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/v1/balance' },
  };
}
