/** A page is at `/g/{token}`, or one level below as the answer of an act. Its URLs are relative, because of proxies. */
export interface BasePath {
  token: string;
  isAnswer: boolean;
}

export type Act = 'open' | 'claim' | 'reveal' | 'purchase' | 'renew';

/** The URL that the form of an act posts to. */
export const actPath = ({ token, isAnswer }: BasePath, act: Act) => (isAnswer ? act : `${token}/${act}`);

/** The URL of the gift's page. */
export const giftPath = ({ token, isAnswer }: BasePath) => (isAnswer ? `../${token}` : token);
