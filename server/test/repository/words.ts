// The words that this repository avoids, and what to write instead (CONTRIBUTING.md, "Plain English").

interface BannedWords {
  pattern: RegExp;
  instead: string;
  /** True if the words are normal in code and strings, so only comments and documents are checked. */
  onlyInProse?: boolean;
}

const bannedWords: BannedWords[] = [
  { pattern: /\b(?:whoever|whomever)\b/i, instead: 'the person or program that does it' },
  { pattern: /\bwhatever\b/i, instead: 'any, every, or the thing that is meant' },
  { pattern: /\bnobody\b/i, instead: 'no one, or say who does what' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bheed(?:s|ed|ing)?\b/i, instead: 'uses, ignores' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\bas good as\b/i, instead: 'almost, or the fact' },
  { pattern: /\bbut for\b/i, instead: 'except' },
  { pattern: /\bof (?:its|their|his|her|our) own\b/i, instead: 'its own' },
  { pattern: /\bmeanwhile\b/i, instead: 'in the meantime, or name the event' },
  { pattern: /\blikewise\b/i, instead: 'also' },
  { pattern: /\b(?:is|are|was|were) none\b/i, instead: 'does not exist, is not a …' },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|one\b)/i, instead: 'is not a …, has no …' },
  { pattern: /\b(?:what|that which) (?:becomes|became) of\b/i, instead: 'what happens to, the status of' },
  { pattern: /\bnews\b/i, instead: 'webhook event' },
  { pattern: /\b(?:told|tells)\b/i, instead: 'logged, returned, shown', onlyInProse: true },
  { pattern: /\blent\b/i, instead: 'checked out' },
  { pattern: /\bdoor\b/i, instead: 'server' },
  { pattern: /\brush\b/i, instead: 'overload' },
  { pattern: /[«»]/, instead: '"…" or `…`' },
  { pattern: /\bin vain\b/i, instead: 'without success' },
  {
    pattern:
      /(?<!\b(?:know|knows|knew|see|sees|show|shows|say|says|from|near|place|places|remember|remembers|decide|decides|find|finds|point|points|ask|asks|is|are|to|of|exactly|explains|learn|lists) )\bwhere (?:there|it|they|one|a|an|the|no|nothing|this|that|its|each|both|none|any|not|only|two|several|some|you|we|what|those|these)\b/i,
    instead: 'if, when',
    onlyInProse: true,
  },
  {
    pattern: /\b(?:specification, part|decisions, “|decisions, "|by the specification’s part)/i,
    instead: 'a link to a page in docs/',
  },
  { pattern: /\bIssue \d+\b/, instead: 'the reason itself' },
];

/** Uses that are right: a user's name, a quotation. From the repository's root on. */
const allowed: Record<string, RegExp[]> = {
  'server/test/embedded-postgres/users.system.test.ts': [/`?nobody/],
  'server/test/repository/words.ts': [/./],
};

export interface FoundWord {
  path: string;
  line: number;
  text: string;
  instead: string;
}

const isProse = (path: string) => path.endsWith('.md');

/** A comment's text, or the whole line of a document; undefined for code. */
function proseOf(path: string, line: string): string | undefined {
  if (isProse(path)) return line;
  return /^\s*(?:\/\/|\/?\*|\{\/\*|#|--)(.*)/.exec(line)?.[1] ?? /\s\/\/ (.*)/.exec(line)?.[1];
}

/** Finds banned words in a text. Code between backticks is not prose. */
export function findBannedWords(path: string, text: string): FoundWord[] {
  const found: FoundWord[] = [];
  let isCode = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (isProse(path) && line.trimStart().startsWith('```')) isCode = !isCode;
    if (isProse(path) && isCode) continue;
    const prose = proseOf(path, line)?.replace(/`[^`]*`/g, '');
    for (const { pattern, instead, onlyInProse = false } of bannedWords) {
      const looked = isProse(path) || onlyInProse ? (prose ?? '') : prose === undefined ? line : prose;
      const isAllowed = allowed[path]?.some((exception) => exception.test(line)) ?? false;
      if (pattern.test(looked) && !isAllowed) found.push({ path, line: index + 1, text: line.trim(), instead });
    }
  }
  return found;
}
