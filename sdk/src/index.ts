export * from './client.ts';
export * from './errors.ts';
export type * from './list.ts';
export type { BestowOptions, CallOptions } from './send.ts';
