/** A claim that made no card. The gift stays as it is. */
export class ClaimRefused extends Error {
  override readonly name = 'ClaimRefused';
  /** Of the answer: 503 if it may work later, 422 if the recipient can change something. */
  readonly status: 422 | 503;

  /** @param notice for the recipient */
  constructor(notice: string, status: 422 | 503) {
    super(notice);
    this.status = status;
  }
}

/** The card is being created. The gift's page shows when it is there. */
export class ClaimPending extends Error {
  override readonly name = 'ClaimPending';
}
