import { config } from '@n8n/node-cli/eslint';

export default [
  ...config,
  {
    files: ['package.json'],
    // The owner of Bestow has not chosen a licence; n8n publishes nodes with MIT only.
    rules: { 'n8n-nodes-base/community-package-json-license-not-default': 'off' },
  },
];
