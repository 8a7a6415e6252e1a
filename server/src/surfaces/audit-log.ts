import { contactSentences } from '../capabilities/contacts/actions.ts';
import { erasureSentences } from '../capabilities/erasure/actions.ts';
import { finderSentences } from '../capabilities/finder/actions.ts';
import { batchSentences, batchWithReason } from '../capabilities/gift-batches/actions.ts';
import { requestSentences, requestWithReason } from '../capabilities/gift-requests/actions.ts';
import { searchSentences } from '../capabilities/gift-search/actions.ts';
import { templateSentences } from '../capabilities/gift-templates/actions.ts';
import { stockSentences } from '../capabilities/issuers/actions.ts';
import { reportSentences } from '../capabilities/reports/actions.ts';
import { restoreSentences } from '../capabilities/restores/actions.ts';
import { topupSentences } from '../capabilities/topups/actions.ts';
import { webhookSentences } from '../capabilities/webhooks/actions.ts';
import { yearlySentences } from '../capabilities/yearly-gifts/actions.ts';
import { approvalSentences } from '../core/approvals/actions.ts';
import { balanceSentences } from '../core/balances/actions.ts';
import { capSentences } from '../core/caps/actions.ts';
import { cardProofSentences } from '../core/card-proofs/actions.ts';
import { cardSentences } from '../core/cards/actions.ts';
import { faceSentences } from '../core/face/actions.ts';
import { giftSentences, giftWithReason } from '../core/gifts/gift/actions.ts';
import { grantSentences } from '../core/grants/actions.ts';
import { issuerSentences } from '../core/issuer/actions.ts';
import { keySentences } from '../core/keys/actions.ts';
import { orderSentences, orderWithReason } from '../core/orders/actions.ts';
import { organizationSentences } from '../core/organizations/actions.ts';
import { sandboxSentences } from '../core/sandbox/actions.ts';
import { redemptionSentences } from '../faces/redemption/actions.ts';
import { listEvents } from '../platform/audit/list-events.ts';

const sentences = {
  ...approvalSentences,
  ...balanceSentences,
  ...capSentences,
  ...cardProofSentences,
  ...cardSentences,
  ...faceSentences,
  ...giftSentences,
  ...grantSentences,
  ...issuerSentences,
  ...keySentences,
  ...orderSentences,
  ...organizationSentences,
  ...sandboxSentences,
  ...redemptionSentences,
  ...contactSentences,
  ...erasureSentences,
  ...finderSentences,
  ...batchSentences,
  ...requestSentences,
  ...searchSentences,
  ...templateSentences,
  ...stockSentences,
  ...reportSentences,
  ...restoreSentences,
  ...topupSentences,
  ...webhookSentences,
  ...yearlySentences,
};

export type Action = keyof typeof sentences;

/** What folders record. */
export const actions = Object.keys(sentences) as Action[];

const recorded = {
  sentences,
  withReason: [...giftWithReason, ...orderWithReason, ...batchWithReason, ...requestWithReason],
};

/** Lists a page of an organization’s audit log; see `listEvents`. */
export const listAuditEvents = (
  deps: Parameters<typeof listEvents>[0],
  input: Parameters<typeof listEvents>[2],
): ReturnType<typeof listEvents> => listEvents(deps, recorded, input);
