import { html } from 'ghtml';
import { masthead } from '../pages/layout.ts';
import { scalarVersion } from './scalar-script.ts';

export const scalarPath = `/docs/assets/scalar-${scalarVersion}.js`;

/** What the reference may do beyond other pages: run its own script, style itself inline, and call this service. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Nothing is fetched from or told to anyone else: no fonts, no telemetry, no assistant. */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideDarkModeToggle: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
};

/** The API reference, drawn by Scalar from the OpenAPI document. @param stylePath address of its stylesheet */
export function referencePage(stylePath: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Bestow</title>
<meta name="description" content="Every operation, field and answer of the Bestow API.">
<meta name="theme-color" content="#9c2544">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
!${masthead({ path: '/docs/api' })}
<noscript><p>The API reference needs JavaScript. The same description for programs: <a href="/v1/openapi.json">openapi.json</a>.</p></noscript>
<script id="api-reference" data-url="/v1/openapi.json" data-configuration="${JSON.stringify(configuration)}"></script>
<script src="${scalarPath}"></script>
</body>
</html>
`;
}
