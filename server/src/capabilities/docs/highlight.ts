import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';

hljs.configure({ classPrefix: '' });

/** By the language after the three backticks. */
const GRAMMARS = {
  sh: bash,
  bash,
  json,
  http,
  js: typescript,
  javascript: typescript,
  ts: typescript,
  py: python,
  python,
  go,
  golang: go,
  php,
  rb: ruby,
  sql,
  yaml,
} as const;
for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name, grammar);

/** Returns the code as HTML, in which words have classes such as `string`; undefined for other languages. */
export const highlight = (code: string, language: string): string | undefined =>
  language in GRAMMARS
    ? // Quotation marks are text between tags.
      hljs.highlight(code, { language }).value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'")
    : undefined;
