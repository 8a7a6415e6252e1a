import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { BestowError } from '../../errors.ts';

const RECOVERY_PATH = '/two-factor/verify-backup-code';

/** An app that is set up, or about to be. */
interface Authenticator {
  id: string;
  /** Sealed. */
  secret: string;
  /** Sealed, by themselves: those that are left are sealed anew whenever one is used. */
  backupCodes: string;
}

export type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Of whom the library is about to ask for a code: whoever is signed in, or else has entered the code by email. */
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
 * What was sealed; no secret may be left that opens it, as after a theft of the secret.
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

/** Says so before the library would fail on it. Codes of the app pass `take-code-once.ts`, which opens them itself. */
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
