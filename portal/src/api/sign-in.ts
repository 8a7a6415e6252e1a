import { portalPath } from '../base/address.ts';
import { ApiError, unreachable } from './client.ts';
import { fetchConfirmed } from './fresh-sign-in.ts';
import { sayOutage } from './outage.ts';

/** Calls a route of better-auth, which the portal's document does not describe. */
async function call<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const request = new Request(`${portalPath}/api/auth${path}`, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) } : {}),
  });
  const response = await fetchConfirmed(request).catch(() => {
    throw unreachable();
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  const { code, message, error } = (answer ?? {}) as {
    code?: string;
    message?: string;
    error?: { code: string; message: string };
  };
  const wait = Number(response.headers.get('retry-after') ?? 0);
  const failure = new ApiError(
    response.status,
    {
      code: error?.code ?? code ?? 'unknown',
      message: error?.message ?? sentences[code ?? ''] ?? message ?? 'Something went wrong. Try again.',
    },
    wait > 0 ? wait : undefined,
  );
  sayOutage(failure);
  throw failure;
}

const sentences: Record<string, string> = {
  INVALID_OTP: 'This code is wrong. Check it or request a new one.',
  OTP_EXPIRED: 'This code has expired. Request a new one.',
  TOO_MANY_ATTEMPTS: 'Too many wrong codes. Request a new one.',
  INVALID_CODE: 'This code is wrong. Wait for the next one in your app and try again.',
  INVALID_BACKUP_CODE: 'This recovery code is wrong or was already used.',
  INVALID_EMAIL: 'This is not a valid email address. Check the spelling.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Start again.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in has expired. Start again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many wrong codes. Wait 15 minutes, then try again.',
  PASSKEY_NOT_FOUND: 'This passkey is not registered. Sign in with a code instead.',
  AUTHENTICATION_FAILED: 'The passkey was not accepted. Sign in with a code instead.',
};

/** Removes the spaces that mails and apps show in a code. */
export const withoutBlanks = (code: string) => code.replace(/\s/g, '');

/** `some_are_missing`: members of some organizations get no code now, because their database does not answer. */
export const sendCode = (email: string) =>
  call<{ success: boolean; some_are_missing?: true }>('POST', '/email-otp/send-verification-otp', {
    email,
    type: 'sign-in',
  });

/** `twoFactorRedirect`: the code was right, and the person must now enter a code of the authenticator app. */
export const signInWithCode = (email: string, otp: string) =>
  call<{ twoFactorRedirect?: boolean }>('POST', '/sign-in/email-otp', { email, otp });

export const verifyTotp = (code: string) => call<object>('POST', '/two-factor/verify-totp', { code });
export const verifyBackupCode = (code: string) => call<object>('POST', '/two-factor/verify-backup-code', { code });
export const enableTotp = () => call<{ totpURI: string; backupCodes: string[] }>('POST', '/two-factor/enable', {});
export const disableTotp = () => call<object>('POST', '/two-factor/disable', {});
export const signOut = () => call<object>('POST', '/sign-out');

/** A passkey of the signed-in person. */
export interface Passkey {
  id: string;
  name?: string | null;
  createdAt?: string | null;
}

export const listPasskeys = () => call<Passkey[]>('GET', '/passkey/list-user-passkeys');
export const deletePasskey = (id: string) => call<object>('POST', '/passkey/delete-passkey', { id });

/** Browsers do not offer passkeys for IP addresses. */
export const canUsePasskeys = () =>
  'PublicKeyCredential' in window && window.isSecureContext && !/^[\d.]+$|^\[/.test(window.location.hostname);

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const options = await call<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    'GET',
    '/passkey/generate-register-options',
  );
  const response = await startRegistration({ optionsJSON: options });
  await call('POST', '/passkey/verify-registration', { response, name });
}

export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = await call<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    'GET',
    '/passkey/generate-authenticate-options',
  );
  const response = await startAuthentication({ optionsJSON: options });
  await call('POST', '/passkey/verify-authentication', { response });
}
