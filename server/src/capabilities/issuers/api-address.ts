/** The shape of a provider's address, which gets a key with each call: plain text stays on this machine. */
export const API_ADDRESS: [shape: RegExp, example: string] = [
  /^(?:https:\/\/\S+|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/\S*)?)$/,
  'an https:// address, or an http:// one on this machine',
];
