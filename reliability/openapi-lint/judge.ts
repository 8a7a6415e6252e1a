import type { Exception } from './exceptions.ts';

/** What a linter says of a document. */
export interface Finding {
  rule: string;
  /** Where, the parts joined by slashes. */
  where: string;
  message: string;
}

export interface Judgement {
  /** What no exception explains, and exceptions that explain nothing: both are to be mended. */
  unexplained: string[];
  explained: number;
}

/** Holds findings against the exceptions. */
export function judge(findings: readonly Finding[], exceptions: readonly Exception[]): Judgement {
  const used = new Set<Exception>();
  const unexplained: string[] = [];
  for (const { rule, where, message } of findings) {
    const exception = exceptions.find((each) => each.rule === rule && each.where.test(where));
    if (exception === undefined) unexplained.push(`${rule} at ${where}: ${message}`);
    else used.add(exception);
  }
  const idle = exceptions
    .filter((each) => !used.has(each))
    .map(({ rule, where }) => `${rule} at ${where}: an exception without a finding`);
  return { unexplained: [...unexplained, ...idle], explained: findings.length - unexplained.length };
}
