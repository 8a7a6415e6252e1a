export interface SpanOptions {
  /** What is done, such as a route's pattern or a statement's name; never an address, an id or a value. */
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: Record<string, string | number>;
  /** The W3C `traceparent` it belongs to; left out: the span around it. */
  parent?: string | undefined;
  /** `traceparent`s of others that it is done for too. */
  links?: readonly string[];
}

/** Follows a request through what is done for it. None of it throws or waits. */
export interface Tracer {
  /** Does the act in a span of its own; an error is noted and thrown on. */
  span<Result>(options: SpanOptions, act: () => Promise<Result>): Promise<Result>;
  /**
   * Goes on in a span of its own.
   *
   * @returns ends it
   */
  begin(options: SpanOptions, next: () => void): (attributes: Record<string, string | number>, failed: boolean) => void;
  /** The W3C `traceparent` of the span around it, to be handed on; undefined where there is none. */
  current(): string | undefined;
}
