import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';

const OPTIONS_PATH = '/passkey/generate-authenticate-options';

/** @throws APIError if the key did not verify its user */
function requireVerified(isUserVerified: boolean | undefined): void {
  if (isUserVerified !== true)
    throw new APIError('UNAUTHORIZED', {
      code: 'USER_NOT_VERIFIED',
      message:
        'This passkey did not ask for a fingerprint, your face or a code, so it was not accepted. Set one of them up on it, or use another.',
    });
}

/**
 * Requires user verification, because a passkey replaces both factors. The library does not check it and would accept a
 * stolen key.
 */
export const refuseUnverified = {
  registration: {
    afterVerification: ({
      verification: { registrationInfo },
    }: {
      verification: { registrationInfo?: { userVerified: boolean } };
    }) => requireVerified(registrationInfo?.userVerified),
  },
  authentication: {
    afterVerification: ({
      verification: { authenticationInfo },
    }: {
      verification: { authenticationInfo: { userVerified: boolean } };
    }) => requireVerified(authenticationInfo.userVerified),
  },
};

/** The library requires verification when a passkey is added, but only prefers it at sign-in. */
export const askForVerification = {
  id: 'ask-for-verification',
  hooks: {
    after: [
      {
        matcher: ({ path }) => path === OPTIONS_PATH,
        handler: createAuthMiddleware(async (context) => {
          const { returned } = context.context;
          if (returned instanceof Error) return undefined;
          return context.json({ ...(returned as object), userVerification: 'required' });
        }),
      },
    ],
  },
} satisfies BetterAuthPlugin;
