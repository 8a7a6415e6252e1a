export interface SpanOptions {
  /** The operation, such as a route's pattern or a statement's name; never an address, an id or a value. */
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: Record<string, string | number>;
  /** W3C `traceparent` of the parent; the current span if undefined. */
  parent?: string | undefined;
  /** `traceparent`s of other spans that this work serves. */
  links?: readonly string[];
}

/** Traces the work on a request. No method throws or waits. */
export interface Tracer {
  /** Runs the act in its own span; records and rethrows its error. */
  span<Result>(options: SpanOptions, act: () => Promise<Result>): Promise<Result>;
  /**
   * Continues in a new span.
   *
   * @returns a function that ends the span
   */
  begin(options: SpanOptions, next: () => void): (attributes: Record<string, string | number>, failed: boolean) => void;
  /** Returns the W3C `traceparent` of the current span; undefined outside of a span. */
  current(): string | undefined;
}
