import type { PlatformDeps } from '../platform/deps.ts';
import type { Issuers } from './issuer/port.ts';
import type { Screening } from './issuer/screening.ts';
import type { Links } from './links/links.ts';

/** Dependencies of acts and routes. A capability that needs more adds it: `StripeDeps`. */
export interface Deps extends PlatformDeps {
  links: Links;
  issuers: Issuers;
  /** Undefined if claims are not screened. */
  screening: Screening | undefined;
}
