import { createOTP } from '@better-auth/utils/otp';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { constantTimeEqual, symmetricDecrypt } from 'better-auth/crypto';
import type { Clock } from '../../base/clock.ts';

const PATH = '/two-factor/verify-totp';
const STEP_MS = 30_000;
/** A phone's clock may be so far off: a code is good one step before and after its own (RFC 6238, 5.2). */
const STEPS_OFF = [1, 0, -1];
/** What no app shows. The library refuses it as any wrong code, and counts the try. */
const WRONG_CODE = '';

export interface CodeSurroundings {
  clock: Clock;
  /** Whether the step is later than all that were claimed for this app before; if so, it is claimed now. */
  claimStep(authenticatorId: string, step: number): Promise<boolean>;
}

/** An app that is set up, or about to be. */
interface Authenticator {
  id: string;
  /** Encrypted. */
  secret: string;
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Has a code of an authenticator app taken once, and none of a step before it afterwards (RFC 6238, 5.2; ASVS 6.5.1). The
 * library takes a code as often as it is sent while it is valid. So the step is claimed before the library sees the code;
 * without a claim the library is handed a wrong one, so that all that follows from wrong codes follows.
 */
export function takeCodeOnce({ clock, claimStep }: CodeSurroundings) {
  async function replaceCode(context: Context, code: string): Promise<string> {
    const authenticator = await findAuthenticator(context);
    if (authenticator === null) return WRONG_CODE;
    const { secretConfig } = context.context;
    const otp = createOTP(await symmetricDecrypt({ key: secretConfig, data: authenticator.secret }));
    const step = await findStep(otp, code, Math.floor(clock.now() / STEP_MS));
    if (step === undefined || !(await claimStep(authenticator.id, step))) return WRONG_CODE;
    // Not the code itself: the library goes by the real time, and by then the step may have ended.
    return otp.totp();
  }

  return {
    id: 'take-code-once',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === PATH,
          handler: createAuthMiddleware(async (context) => {
            const { code } = (context.body ?? {}) as { code?: unknown };
            // What is no text the library refuses.
            if (typeof code !== 'string') return undefined;
            return { context: { body: { code: await replaceCode(context, code) } } };
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Of steps that share a code the latest, whose claim ends the others too. */
async function findStep(otp: ReturnType<typeof createOTP>, code: string, now: number): Promise<number | undefined> {
  for (const off of STEPS_OFF) if (constantTimeEqual(await otp.hotp(now + off), code)) return now + off;
  return undefined;
}

/** Of whom the library is about to ask for a code: whoever is signed in, or else has entered the code by email. */
async function findAuthenticator(context: Context): Promise<Authenticator | null> {
  const { adapter, internalAdapter, createAuthCookie, secret } = context.context;
  const session = await getSessionFromCtx(context, { disableRefresh: true });
  const challenge = await context.getSignedCookie(createAuthCookie('two_factor').name, secret);
  const userId =
    session?.user.id ?? (challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined);
  if (userId === undefined) return null;
  return adapter.findOne<Authenticator>({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] });
}
