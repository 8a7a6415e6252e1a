import { createOTP } from '@better-auth/utils/otp';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { constantTimeEqual } from 'better-auth/crypto';
import type { Clock } from '../../../platform/base/clock.ts';
import { type Context, findAuthenticator, unseal } from './sealed-authenticator.ts';

const PATH = '/two-factor/verify-totp';
const STEP_MS = 30_000;
/** Accepts a clock that is one step off (RFC 6238, 5.2). */
const STEPS_OFF = [1, 0, -1];
/** The library refuses it and counts the attempt. */
const WRONG_CODE = '';

export interface CodeSurroundings {
  clock: Clock;
  /** Claims the step if it is later than every claimed step of the app; returns whether it did. */
  claimStep(authenticatorId: string, step: number): Promise<boolean>;
}

/**
 * Accepts each code of an authenticator app once, and no earlier code afterwards (RFC 6238, 5.2; ASVS 6.5.1). The library
 * accepts a valid code repeatedly, so this hook claims the step first. Without a claim the library gets a wrong code.
 */
export function takeCodeOnce({ clock, claimStep }: CodeSurroundings) {
  async function replaceCode(context: Context, code: string): Promise<string> {
    const authenticator = await findAuthenticator(context);
    if (authenticator === null) return WRONG_CODE;
    const otp = createOTP(await unseal(context, authenticator.secret));
    const step = await findStep(otp, code, Math.floor(clock.now() / STEP_MS));
    if (step === undefined || !(await claimStep(authenticator.id, step))) return WRONG_CODE;
    // A new code: the library uses the real time, and the step may have ended.
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
            // The library refuses other types.
            if (typeof code !== 'string') return undefined;
            return { context: { body: { code: await replaceCode(context, code) } } };
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Finds the latest step with this code; its claim ends the earlier ones. */
async function findStep(otp: ReturnType<typeof createOTP>, code: string, now: number): Promise<number | undefined> {
  for (const off of STEPS_OFF) if (constantTimeEqual(await otp.hotp(now + off), code)) return now + off;
  return undefined;
}
