/** A page is at `/g/{token}`, or one level below as the answer of an act. Its URLs are relative, because of proxies. */
export interface BasePath {
  token: string;
  isAnswer: boolean;
}

export type Act =
  | 'open'
  | 'choose'
  | 'claim'
  | 'reveal'
  | 'code'
  | 'prove'
  | 'take'
  | 'pin'
  | 'purchase'
  | 'renew'
  | 'thank'
  | 'decline'
  | 'card-key'
  | 'new-link';

/** Pages about an invalid link also name it, and it may be any text, such as `//evil.example`. */
const segment = (token: string) => encodeURIComponent(token.toWellFormed());

/** The URL that the form of an act posts to. */
export const actPath = ({ token, isAnswer }: BasePath, act: Act) => (isAnswer ? act : `${segment(token)}/${act}`);

/** The URL of the gift's page. */
export const giftPath = ({ token, isAnswer }: BasePath) => `${isAnswer ? '../' : ''}${segment(token)}`;
