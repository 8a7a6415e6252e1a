import { listOf, refuse, text } from './setting-kinds.ts';

const isOrigin = (value: string): boolean =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value;

export const mcpSettings = {
  MCP_ORIGINS: text(
    'Other sites whose pages may call [`/mcp`](agents.md#from-a-browser), such as `http://localhost:6274`, separated by commas',
    'none: only pages of `PUBLIC_URL`',
    (value, name): string[] => {
      const origins = listOf(value ?? '');
      const wrong = origins.find((origin) => !isOrigin(origin));
      return wrong === undefined
        ? origins
        : refuse(name, 'a list of origins such as http://localhost:6274, without a path', wrong);
    },
  ),
} as const;
