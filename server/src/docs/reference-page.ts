import { html } from 'ghtml';
import { masthead } from '../pages/layout.ts';
import { scalarVersion } from './scalar-script.ts';

export const scalarPath = `/docs/assets/scalar-${scalarVersion}.js`;

/** Unlike other pages, the reference runs a script, has inline styles and calls this service. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** No requests to third parties: no fonts, telemetry or assistant. */
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

/** Renders the API reference, which Scalar draws from the OpenAPI document. */
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
<noscript><p>The API reference needs JavaScript. The OpenAPI document has the same content: <a href="/v1/openapi.json">openapi.json</a>.</p></noscript>
<script id="api-reference" data-url="/v1/openapi.json" data-configuration="${JSON.stringify(configuration)}"></script>
<script src="${scalarPath}"></script>
</body>
</html>
`;
}
