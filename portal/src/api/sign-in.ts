import { portalPath } from '../address.ts';
import { ApiError } from './client.ts';

/** The sign-in's calls; they are `better-auth`'s, so they stand in no document. */
async function call<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${portalPath}/api/auth${path}`, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) } : {}),
  }).catch(() => {
    throw new ApiError(0, {
      code: 'unreachable',
      message: 'The server cannot be reached. Check your connection and try again.',
    });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  const { code, message, error } = (answer ?? {}) as {
    code?: string;
    message?: string;
    error?: { code: string; message: string };
  };
  throw new ApiError(response.status, {
    code: error?.code ?? code ?? 'unknown',
    message: error?.message ?? sentences[code ?? ''] ?? message ?? 'That did not work. Try again.',
  });
}

const sentences: Record<string, string> = {
  INVALID_OTP: 'This code is not right. Check it, or ask for a new one.',
  OTP_EXPIRED: 'This code has expired. Ask for a new one.',
  TOO_MANY_ATTEMPTS: 'This code was tried too often. Ask for a new one.',
  INVALID_CODE: 'This code is not right. Wait for the next one in your app and try that.',
  INVALID_BACKUP_CODE: 'This recovery code is not right, or was used before.',
  INVALID_EMAIL: 'This is not an email address. Check its spelling.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'These were many wrong codes. Start again.',
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in has ended. Start again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'These were many wrong codes. Wait a quarter of an hour, then try again.',
  PASSKEY_NOT_FOUND: 'This passkey is not known here. Sign in with a code instead.',
  AUTHENTICATION_FAILED: 'The passkey was not accepted. Sign in with a code instead.',
};

/** A code as it is meant: mails and apps show it in groups, and no code has a blank in it. */
export const withoutBlanks = (code: string) => code.replace(/\s/g, '');

export const sendCode = (email: string) =>
  call<{ success: boolean }>('POST', '/email-otp/send-verification-otp', { email, type: 'sign-in' });

/** `twoFactorRedirect`: the code was right, and a code of the authenticator app is asked for next. */
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

/** Browsers know passkeys of names only: not where the portal is opened by a number. */
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
