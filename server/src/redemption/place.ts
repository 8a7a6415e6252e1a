/**
 * Where a page stands: at `/g/{token}`, or one step below as the answer of an act. Addresses in it are relative, so that
 * they hold wherever a proxy puts the service.
 */
export interface Place {
  token: string;
  isAnswer: boolean;
}

export type Act = 'open' | 'claim' | 'reveal' | 'purchase' | 'renew';

/** Where the form of an act goes. */
export const actPath = ({ token, isAnswer }: Place, act: Act) => (isAnswer ? act : `${token}/${act}`);

/** The gift's own page. */
export const giftPath = ({ token, isAnswer }: Place) => (isAnswer ? `../${token}` : token);
