import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The operator's page is a build of its own, so that members load nothing of it. */
export default defineConfig({
  base: '/operator/',
  // As for the portal: see ../vite.config.ts.
  experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  plugins: [react(), tailwindcss()],
  build: { target: 'es2024', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
