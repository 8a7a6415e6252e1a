export default {
  input: 'openapi.json',
  output: { path: 'bestow', importFileExtension: '.ts' },
  logs: { level: 'silent' },
};
