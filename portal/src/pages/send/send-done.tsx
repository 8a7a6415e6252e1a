import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { portalPath } from '../../base/address.ts';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatMoney, formatPlannedTime } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { isoOf } from '../../ui/time-field.tsx';
import { RecipientPageButton } from '../gift-form/gift-recipient-page.tsx';
import { addressOf, type Draft, isLater } from '../gift-form/send-draft.ts';

type Sent = components['schemas']['SentGifts'];

interface DoneProps {
  sent: Sent;
  draft: Draft;
  cents: number;
  onRestart: () => void;
}

/** What was bought. */
export function Done({ sent, draft, cents, onRestart }: DoneProps) {
  const { params, currency, environment, organizationId, may } = useScope();
  const [gift] = sent.gifts;
  const { email, phone } = addressOf(draft) as { email?: string; phone?: string };
  const amount = formatMoney(cents, currency);
  const isSandbox = environment === 'sandbox';
  const planned = isLater(draft) ? formatPlannedTime(isoOf(draft.sendAt)) : undefined;
  const way = isSandbox
    ? 'The sandbox sends no message; open what the recipient would see.'
    : 'Its timeline shows when the message arrives.';
  const isTried = isSandbox && planned === undefined && gift !== undefined && !gift.link;
  return (
    <Panel>
      <div role="status" className="grid justify-items-center gap-2 py-6 text-center">
        <p className="font-serif text-2xl font-semibold">
          {gift?.link
            ? 'The link is ready'
            : planned === undefined
              ? isSandbox
                ? 'Test gift created'
                : 'The gift is on its way'
              : 'The gift is scheduled'}
        </p>
        <p className="max-w-md text-soft wrap-anywhere">
          {gift?.link
            ? `Anyone with this link can claim ${amount}. Share it only with the recipient.`
            : planned === undefined
              ? `${amount} to ${email ?? phone}. ${way}`
              : `${amount} to ${email ?? phone} on ${planned}. Until then you can change the time or cancel the gift.`}
        </p>
        {gift?.link && (
          <div className="mt-3 grid w-full max-w-xl justify-items-center gap-3">
            <p className="w-full rounded-xl bg-sunken px-3 py-2 text-left font-mono text-[0.8125rem] wrap-anywhere">
              {gift.link}
            </p>
            <CopyButton text={gift.link} label="Copy link" />
          </div>
        )}
        <div className="mt-5 flex flex-wrap justify-center gap-3">
          {gift === undefined ? (
            <ButtonLink
              to="/$organizationId/$environment/orders/$orderId"
              params={{ ...params, orderId: sent.order_id }}
              variant="primary"
            >
              View order
            </ButtonLink>
          ) : (
            <ButtonLink
              to="/$organizationId/$environment/gifts/$giftId"
              params={{ ...params, giftId: gift.gift_id }}
              variant="primary"
            >
              View gift
            </ButtonLink>
          )}
          {isTried && may('links') && <RecipientPageButton giftId={gift.gift_id} />}
          {isTried && email !== undefined && may('people') && (
            <a
              href={`${portalPath}/api/organizations/${organizationId}/sandbox/gifts/${gift.gift_id}/messages/1/letter`}
              target="_blank"
              rel="noreferrer"
              className={buttonClass()}
            >
              Open the email
            </a>
          )}
          <Button onClick={onRestart}>Send another</Button>
        </div>
      </div>
    </Panel>
  );
}
