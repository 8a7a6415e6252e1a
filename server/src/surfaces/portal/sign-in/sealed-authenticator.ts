import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { BestowError } from '../../../platform/base/errors.ts';

const RECOVERY_PATH = '/two-factor/verify-backup-code';

/** An authenticator app that is set up, or being set up. */
interface Authenticator {
  id: string;
  /** Encrypted. */
  secret: string;
  /** Encrypted separately; the library encrypts the rest again after each use. */
  backupCodes: string;
}

export type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Finds the app of the signed-in person, or of the person who has entered the code by email. */
export async function findAuthenticator(context: Context): Promise<Authenticator | null> {
  const { adapter, internalAdapter, createAuthCookie, secret } = context.context;
  const session = await getSessionFromCtx(context, { disableRefresh: true });
  const challenge = await context.getSignedCookie(createAuthCookie('two_factor').name, secret);
  const userId =
    session?.user.id ?? (challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined);
  if (userId === undefined) return null;
  return adapter.findOne<Authenticator>({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] });
}

/**
 * Decrypts a text. After a stolen secret was removed, no secret may be left that can.
 *
 * @throws BestowError `refused`
 */
export async function unseal({ context: { secretConfig } }: Context, sealed: string): Promise<string> {
  try {
    return await symmetricDecrypt({ key: secretConfig, data: sealed });
  } catch {
    throw new BestowError('refused', {
      message:
        'Your authenticator app and its recovery codes stopped working when a secret of this service was replaced. Ask the operator of the service to reset your sign-in.',
    });
  }
}

/** Refuses before the library fails with an internal error. `take-code-once.ts` decrypts the app's own codes. */
export const refuseLostRecoveryCodes = {
  id: 'refuse-lost-recovery-codes',
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === RECOVERY_PATH,
        handler: createAuthMiddleware(async (context) => {
          const authenticator = await findAuthenticator(context);
          if (authenticator !== null) await unseal(context, authenticator.backupCodes);
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin;
