import { noteReachable } from './reachability.ts';

/** Why a person has to sign in: the sign-in is too old for the act, or it has ended. */
export type Reason = 'sign_in_again' | 'sign_in_required';

/** Asks the person to sign in; resolves to whether they did. */
type Ask = (reason: Reason) => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);
let asked: Promise<boolean> | undefined;

/** The dialog that asks, as long as it is on the page. */
export function setConfirmation(newAsk: Ask): void {
  ask = newAsk;
}

/** Asks the person to sign in above the page. Others that ask at the same time wait for the same answer. */
export const askToSignIn: Ask = (reason) => {
  asked ??= ask(reason).finally(() => {
    asked = undefined;
  });
  return asked;
};

/**
 * Sends a request. If the sign-in has ended or is too old for it, asks the person to sign in and sends it again, so that
 * nothing typed is lost.
 */
export async function fetchConfirmed(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request).catch((error: unknown) => {
    // A request that the page itself gave up says nothing about the server.
    noteReachable(request.signal.aborted);
    throw error;
  });
  noteReachable(true);
  const reason = await reasonToAsk(request, response);
  return reason !== undefined && (await askToSignIn(reason)) ? fetch(again) : response;
}

/** A read that is refused interrupts no one: its place on the page offers to sign in. Every page needs to know who it is. */
async function reasonToAsk({ method, url }: Request, response: Response): Promise<Reason | undefined> {
  const { status } = response;
  if (status !== 403 && !(status === 401 && (method !== 'GET' || /\/api\/(?:me|session)$/.test(url)))) return undefined;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  return code === 'sign_in_again' || code === 'sign_in_required' ? code : undefined;
}
