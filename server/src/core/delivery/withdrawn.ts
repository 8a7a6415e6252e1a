/** Why a message was not sent. A worker may have sent it at that moment; then its acceptance is recorded after all. */
export const WITHDRAWN = 'The gift was canceled before it was sent.';
