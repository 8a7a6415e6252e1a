/** Changes that people make to their own sign-in. */
const changes = {
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  authenticator_added: 'Set up an authenticator app',
  authenticator_removed: 'Turned off the authenticator app',
  session_ended: 'Ended another session',
};
export type SignInChange = keyof typeof changes;

/** What is in a person's own log. */
export const sentences = {
  ...changes,
  signed_in: 'Signed in',
  signed_in_new_device: 'Signed in on a new device',
  code_wrong: 'Someone entered a wrong code for this address',
};
export type PersonEvent = keyof typeof sentences;
