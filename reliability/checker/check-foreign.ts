import { ownerOf } from './read-record.ts';
import { violationsOf } from './select-faulty.ts';
import type { Check } from './violation.ts';

/** Ids, tokens of links, and addresses and names of the load, which hold the number of their organization. */
const OWNED = [
  /\b(?:ord|gift|led|key|mem|org|card)_[0-9a-z]{26}\b/g,
  /\/g\/[A-Za-z0-9_-]{40,}/g,
  /\bo\d+[ls]-\d+(?:-again)?\b/g,
  /\bo\d+-name\b/g,
] as const;

/** I9: nothing that is sent to one organization holds an id, name, address or token of another. */
export const checkForeign: Check = async ({ recorder }) => {
  const owners = new Map<string, string>();
  const wrong = new Set<string>();
  // The organization that first sees an id owns it.
  for (const call of recorder.calls) {
    const { organizationId, operation, outcome } = call;
    if (organizationId === '' || outcome.kind === 'unknown' || operation === 'fund') continue;
    const text = typeof outcome.answer === 'string' ? outcome.answer : JSON.stringify(outcome.answer);
    for (const [index, pattern] of OWNED.entries())
      for (const [thing] of text.matchAll(pattern)) {
        // Names belong to an organization, everything else to one of its environments.
        const owner = index === 3 || thing.startsWith('org_') ? organizationId : ownerOf(call);
        const known = owners.get(thing);
        if (known === undefined) owners.set(thing, owner);
        else if (known !== owner) wrong.add(`${thing} of ${known} was sent to ${owner}.`);
      }
  }
  return violationsOf('I9', [...wrong]);
};
