import { AsyncLocalStorage } from 'node:async_hooks';

const calls = new AsyncLocalStorage<true>();

/** Runs what a tool of `/mcp` calls, whose requests may carry the token of an agent. */
export const inAgentCall = <Result>(call: () => Result): Result => calls.run(true, call);

/** Whether a tool of `/mcp` makes the request. */
export const isAgentCall = (): boolean => calls.getStore() === true;
