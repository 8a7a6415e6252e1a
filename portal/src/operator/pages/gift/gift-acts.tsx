import { unwrap } from '../../../api/client.ts';
import { operatorApi } from '../../api/client.ts';
import { ActButton, ActDialog } from '../../layout/act-dialog.tsx';
import { EraseNameDialog } from './erase-name.tsx';
import { giftKey, type OperatedGift } from './gift-key.ts';

type ActName = 'hold' | 'release' | 'resend' | 'new-link' | 'undo-claim' | 'take-back' | 'reopen-card' | 'cancel';

interface ActWords {
  label: string;
  title: string;
  description: string;
  action: string;
  isDanger?: boolean;
  done: string;
  command: (giftId: string, reason: string) => string;
  isOffered: (gift: OperatedGift['gift']) => boolean;
}

type Gift = OperatedGift['gift'];

const isWaiting = ({ claimed_at, canceled_at, held_by }: Gift) =>
  claimed_at === null && canceled_at === null && held_by === null;

const acts: Record<ActName, ActWords> = {
  resend: {
    label: 'Send again',
    title: 'Send this gift again?',
    description: 'The recipient gets another message at the same address. Earlier links stay valid.',
    action: 'Send again',
    done: 'The message is on its way.',
    command: (id) => `bestow gift resend ${id}`,
    isOffered: (gift) => isWaiting(gift) && gift.method !== 'link' && gift.status !== 'scheduled',
  },
  'new-link': {
    label: 'Replace the link',
    title: 'Replace the link of this gift?',
    description:
      'All earlier links end at once. The gift is sent again; the link of a link gift is shown to its organization.',
    action: 'Replace link',
    isDanger: true,
    done: 'The earlier links have ended.',
    command: (id) => `bestow gift new-link ${id} --yes`,
    isOffered: (gift) => isWaiting(gift) && gift.status !== 'scheduled',
  },
  hold: {
    label: 'Put on hold',
    title: 'Put this gift on hold?',
    description: 'No one can claim it, see its card or get a new link, until someone releases it.',
    action: 'Put on hold',
    isDanger: true,
    done: 'The gift is on hold.',
    command: (id) => `bestow gift hold ${id} --yes`,
    isOffered: ({ held_by, canceled_at }) => held_by !== 'gift' && canceled_at === null,
  },
  release: {
    label: 'Release',
    title: 'Release this gift?',
    description: 'The recipient can claim it, or see its card, again.',
    action: 'Release gift',
    done: 'The gift is released.',
    command: (id) => `bestow gift release ${id}`,
    isOffered: ({ held_by }) => held_by === 'gift',
  },
  'undo-claim': {
    label: 'Undo the claim',
    title: 'Undo the claim of this gift?',
    description:
      'For a claim whose issuer never answers. The gift can be claimed again. It is refused if the issuer answers or the card exists.',
    action: 'Undo claim',
    isDanger: true,
    done: 'The gift can be claimed again.',
    command: (id) => `bestow gift undo-claim ${id} --yes`,
    isOffered: ({ claimed_at, canceled_at }) => claimed_at === null && canceled_at === null,
  },
  'take-back': {
    label: 'Take the gift back',
    title: 'Take this gift back?',
    description:
      'The issuer ends its card, and what is left on it returns to the balance. It is refused if the recipient used it, or if the issuer does not allow it.',
    action: 'Take back',
    isDanger: true,
    done: 'What was left is back on the balance.',
    command: (id) => `bestow gift take-back ${id} --yes`,
    isOffered: ({ claimed_at }) => claimed_at !== null,
  },
  'reopen-card': {
    label: 'Reopen the card',
    title: 'Reopen the card of this gift?',
    description:
      'Another browser can show the card, once within 24 hours. First make sure that the recipient asks for it.',
    action: 'Reopen card',
    done: 'Another browser can show the card, once within 24 hours.',
    command: (id) => `bestow gift reopen-card ${id} --yes`,
    isOffered: ({ claimed_at, held_by }) => claimed_at !== null && held_by !== 'gift',
  },
  cancel: {
    label: 'Cancel the gift',
    title: 'Cancel this gift?',
    description: 'No one can claim it any more, and its amount returns to the balance. This cannot be undone.',
    action: 'Cancel gift',
    isDanger: true,
    done: 'The gift is canceled.',
    command: (id, reason) => `bestow gift cancel ${id} --reason ${reason} --yes`,
    isOffered: ({ claimed_at, canceled_at }) => claimed_at === null && canceled_at === null,
  },
};

/** What an operator can do to this gift now. */
export const GiftActs = ({ of }: { of: OperatedGift }) => (
  <>
    {(Object.keys(acts) as ActName[])
      .filter((name) => acts[name].isOffered(of.gift))
      .map((name) => (
        <ActButton key={name} label={acts[name].label} variant={acts[name].isDanger ? 'danger' : 'secondary'}>
          {(onClose) => <GiftActDialog name={name} giftId={of.gift.gift_id} onClose={onClose} />}
        </ActButton>
      ))}
    <ActButton label="Erase the name" variant="danger">
      {(onClose) => <EraseNameDialog giftId={of.gift.gift_id} onClose={onClose} />}
    </ActButton>
  </>
);

function GiftActDialog({ name, giftId, onClose }: { name: ActName; giftId: string; onClose: () => void }) {
  const { label: _, isOffered: __, command, ...words } = acts[name];
  return (
    <ActDialog
      {...words}
      onClose={onClose}
      readBy="organization"
      command={(reason) => command(giftId, reason)}
      send={(reason) =>
        unwrap(
          operatorApi.POST(`/operator/api/gifts/{gift_id}/${name}`, {
            params: { path: { gift_id: giftId } },
            body: { reason },
          }),
        )
      }
      // Another look at the gift would be in the log.
      shows={giftKey(giftId)}
    />
  );
}
