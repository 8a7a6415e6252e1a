import { createOTP } from '@better-auth/utils/otp';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { constantTimeEqual } from 'better-auth/crypto';
import type { Clock } from '../../base/clock.ts';
import { type Context, findAuthenticator, unseal } from './sealed-authenticator.ts';

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

/**
 * Has a code of an authenticator app taken once, and none of a step before it afterwards (RFC 6238, 5.2; ASVS 6.5.1). The
 * library takes a code as often as it is sent while it is valid. So the step is claimed before the library sees the code;
 * without a claim the library is handed a wrong one, so that all that follows from wrong codes follows.
 */
export function takeCodeOnce({ clock, claimStep }: CodeSurroundings) {
  async function replaceCode(context: Context, code: string): Promise<string> {
    const authenticator = await findAuthenticator(context);
    if (authenticator === null) return WRONG_CODE;
    const otp = createOTP(await unseal(context, authenticator.secret));
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
