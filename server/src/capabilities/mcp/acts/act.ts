import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/deps.ts';
import type { OrderInputBody } from '../../../core/orders/schema.ts';
import type { Library } from '../../docs/library.ts';
import type { CallOperation } from '../call-operation.ts';
import type { Arguments } from '../operation-request.ts';

/** What an act works with. */
export interface Acting {
  deps: Deps;
  request: FastifyRequest;
  /** The arguments, whose names were checked. */
  given: Arguments;
  call: CallOperation;
  /** Reads the arguments of an order as the operation takes them. @throws BestowError `parameter_invalid` */
  readOrder(given: Arguments): OrderInputBody;
  library(): Promise<Library>;
}

/** Does what a tool says, and returns its answer. @throws BestowError, OutcomeUnknown */
export type Act = (acting: Acting) => Promise<object>;
