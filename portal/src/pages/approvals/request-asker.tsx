import { PersonName } from '../account/person-name.tsx';
import type { GiftRequest } from './request-badge.tsx';

/** The member or the agent who asks. */
export const Asker = ({ request: { agent, requested_by } }: { request: GiftRequest }) =>
  agent === null ? (
    <PersonName email={requested_by ?? ''} />
  ) : (
    <>
      <span className="block wrap-anywhere">
        <bdi>{agent}</bdi>
      </span>
      <span className="block text-sm font-normal text-soft">Agent</span>
    </>
  );
