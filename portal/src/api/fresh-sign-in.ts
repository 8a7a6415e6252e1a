import { noteReachable } from './reachability.ts';

/** Asks the person to confirm who they are; resolves to whether they did. */
type Ask = () => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);
let asked: Promise<boolean> | undefined;

/** The dialog that asks, as long as it is on the page. */
export function setConfirmation(newAsk: Ask): void {
  ask = newAsk;
}

/**
 * Sends a request. If the sign-in is too old for it, asks the person to confirm who they are and sends it again, so that
 * nothing typed is lost. Other refused requests wait for the same answer.
 */
export async function fetchConfirmed(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request).catch((error: unknown) => {
    // A request that the page itself gave up says nothing about the server.
    noteReachable(request.signal.aborted);
    throw error;
  });
  noteReachable(true);
  if (response.status !== 403 || !(await asksToConfirm(response.clone()))) return response;
  asked ??= ask().finally(() => {
    asked = undefined;
  });
  return (await asked) ? fetch(again) : response;
}

async function asksToConfirm(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => undefined);
  return (body as { error?: { code?: string } } | undefined)?.error?.code === 'sign_in_again';
}
