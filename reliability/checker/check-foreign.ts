import { ownerOf } from './read-record.ts';
import { told } from './select-faulty.ts';
import type { Check } from './violation.ts';

/** Ids, links' tokens, and the addresses and names of the load, which carry their organization's number. */
const OWNED = [
  /\b(?:ord|gift|led|key|mem|org|card)_[0-9a-z]{26}\b/g,
  /\/g\/[A-Za-z0-9_-]{40,}/g,
  /\bo\d+[ls]-\d+(?:-again)?\b/g,
  /\bo\d+-name\b/g,
] as const;

/** I9: no id, name, address or token of one organization in anything sent to another. */
export const checkForeign: Check = async ({ recorder }) => {
  const owners = new Map<string, string>();
  const wrong = new Set<string>();
  // The first to see an id is its owner: it stands in an answer to whoever made it before anyone else can name it.
  for (const call of recorder.calls) {
    const { organizationId, operation, outcome } = call;
    if (organizationId === '' || outcome.kind === 'unknown' || operation === 'fund') continue;
    // Recipients belong to the organization whose gift they hold.
    const text = typeof outcome.answer === 'string' ? outcome.answer : JSON.stringify(outcome.answer);
    for (const [index, pattern] of OWNED.entries())
      for (const [thing] of text.matchAll(pattern)) {
        // A name is the organization's, whichever environment; all else belongs to one.
        const owner = index === 3 || thing.startsWith('org_') ? organizationId : ownerOf(call);
        const known = owners.get(thing);
        if (known === undefined) owners.set(thing, owner);
        else if (known !== owner) wrong.add(`${thing} of ${known} was sent to ${owner}.`);
      }
  }
  return told('I9', [...wrong]);
};
