import type { ChosenIssuer } from '../../core/issuer/chosen-issuer.ts';
import type { Issuer, Issuers } from '../../core/issuer/port.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { AdapterDeps, Adapters } from './adapter.ts';
import { adapters as every, kindsPaidAtClaim } from './adapters.ts';
import { simulatedIssuer } from './simulated/simulated-issuer.ts';

/** Issuers that are ready, by the encrypted text of their settings, which differs each time they are encrypted. */
const MAX_OPEN = 1_000;

export function createIssuers(deps: AdapterDeps, adapters: Adapters = every): Issuers {
  const opened = new Map<string, Promise<Issuer>>();
  const issuers: Issuers = {
    simulated: simulatedIssuer,
    async open(organizationId, chosen) {
      if (chosen === null) return issuers.simulated;
      const found = opened.get(chosen.settings);
      if (found !== undefined) return found;
      if (opened.size >= MAX_OPEN) opened.clear();
      const opening = open(deps, adapters, organizationId, chosen);
      opened.set(chosen.settings, opening);
      opening.catch(() => opened.delete(chosen.settings));
      return opening;
    },
    paidAtClaim: kindsPaidAtClaim(adapters),
  };
  return issuers;
}

async function open(
  deps: AdapterDeps,
  adapters: Adapters,
  organizationId: string,
  { issuer_id, kind, settings: sealed }: ChosenIssuer,
): Promise<Issuer> {
  const chosen = adapters[kind];
  if (chosen === undefined) throw new OperatorError(`This version of Bestow has no issuer of the kind ${kind}.`);
  const settings = deps.cipher.decrypt(sealed);
  if (settings === undefined)
    throw new OperatorError('The issuer’s settings were encrypted with another LINK_SECRET. Add the issuer again.');
  return (await chosen.load()).create(JSON.parse(settings), { organizationId, issuerId: issuer_id }, deps);
}
