import react from '@vitejs/plugin-react';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const outDir = fileURLToPath(new URL('../../dist/apps/console', import.meta.url));

/** What is served is compressed once, here, as small as it gets. */
const compress = () => ({
  name: 'compress',
  apply: 'build',
  closeBundle() {
    const assets = path.join(outDir, 'assets');
    for (const name of readdirSync(assets)) {
      if (!/\.(js|css|svg)$/.test(name)) continue;
      const file = path.join(assets, name);
      const bytes = readFileSync(file);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Where backoffice serves it (apps/backoffice/src/console.ts).
  base: '/console/',
  plugins: [react(), compress()],
  // Backoffice puts another one in its place in each response; the content security policy names it.
  html: { cspNonce: 'nonce-of-this-response' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // No file as a data: address, which the content security policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // Ships with the code, as its licences want; a test looks at which they are.
    license: { fileName: 'licences.json' },
    reportCompressedSize: false,
  },
  logLevel: 'warn',
});
