import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';

const OPTIONS_PATH = '/passkey/generate-authenticate-options';

/** @throws APIError where the key was touched, and did not ask who touches it */
function requireVerified(isUserVerified: boolean | undefined): void {
  if (isUserVerified !== true)
    throw new APIError('UNAUTHORIZED', {
      code: 'USER_NOT_VERIFIED',
      message:
        'This passkey did not ask for a fingerprint, your face or a code, so it was not accepted. Set one of them up on it, or use another.',
    });
}

/**
 * A passkey signs in past the authenticator app, so it must be two factors itself: the device, and what the device asks for.
 * The library checks neither, and would take a key that was merely found.
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

/** By itself the library asks for it when a passkey is added, and merely prefers it when one signs in. */
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
