import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const nodeAndBrowser = ['console', 'process', 'document', 'globalThis', 'fetch', 'innerWidth', 'getComputedStyle', 'setTimeout'];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      // Names from model files must never become markup.
      'no-restricted-properties': ['error', { property: 'innerHTML' }, { property: 'outerHTML' }, { property: 'insertAdjacentHTML' }],
      'no-restricted-syntax': ['error', { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'Names are text, never markup.' }],
    },
  },
  { files: ['tests/*.mjs'], languageOptions: { globals: Object.fromEntries(nodeAndBrowser.map((name) => [name, 'readonly'])) } },
);
