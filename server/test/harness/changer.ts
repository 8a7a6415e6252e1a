import type { Changer } from '../../src/capabilities/yearly-gifts/changer.ts';

/** A member with every permission, who has just signed in. */
export const MAY_ALL: Changer = {
  maySend: true,
  mayManage: true,
  mayCancel: true,
  mayApprove: true,
  requireFresh: () => undefined,
};
