import type { OutboxPathDeps } from '../capabilities/outbox/address.ts';
import type { CheckpointDeps } from '../capabilities/seals/checkpoint-keys.ts';
import type { StripeDeps } from '../capabilities/stripe/open-stripe.ts';
import type { DomainDeps } from '../core/face/resolve-txt.ts';

/** The dependencies of every act and route, made once per process in `process/create-deps.ts`. */
export type AllDeps = CheckpointDeps & DomainDeps & OutboxPathDeps & StripeDeps;
