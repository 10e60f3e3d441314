// The page is a few files that the C++ build embeds. Names carry a hash of the content, so that browsers may keep
// them; every build of the same sources gives the same bytes.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: 'dist',
    sourcemap: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/page-[hash].js',
        assetFileNames: 'assets/page-[hash][extname]',
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
