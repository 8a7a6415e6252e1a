import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/portal/',
  // Scripts find each other wherever a proxy puts the portal; in the page, the server sees to it.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  plugins: [react(), tailwindcss()],
  // A file named in the page would be refused by its policy as an inline script or a data URL.
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // In one file these compress by 2 kB better than in the five that would be made of them.
      output: {
        // Every file's name is in the list that the first page loads.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              // Only the review of a file needs the virtual rows.
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack(?!\/(?:react-virtual|virtual-core)\/)|openapi-fetch|get-nonce)\//,
            },
            // Most pages load all of these; in one file they cost the overview 0.65 kB less.
            {
              name: 'parts',
              test: /\/src\/(?:base\/address|api\/client|pages\/balance\/balance-outlook|ui\/(?:badge|gift-status|time))\.tsx?$/,
            },
            // Small files of many pages: a name for each would lengthen that list by more.
            {
              name: 'fields',
              includeDependenciesRecursively: false,
              test: /\/src\/(?:api\/(?:answered|changes|contact-suggestions|contacts|limits|roles|use-categories)|base\/use-paused|layout\/drafts|pages\/templates\/template|ui\/(?:category|choice|code|confirm-dialog|dialog-form|export-link|field|filters|icons|languages|list-pager|list-total|money-field|option-list|order-field|secret-dialog|submit|suggestion-field|table|text-area|time-field|use-act|use-lost-cursor))\.tsx?$/,
            },
          ],
        },
      },
    },
  },
});
