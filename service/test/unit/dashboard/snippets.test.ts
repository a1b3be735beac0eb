import { readFileSync } from 'node:fs';
import typescript from 'typescript';
import { describe, expect, test } from 'vitest';
import { frameworkIn, frameworks, pageSnippet, serverSnippet } from '../../../src/dashboard/overview/snippets.js';

const root = new URL('../../../../', import.meta.url);
const names = Object.keys(frameworks).map(frameworkIn);

describe('the code of the first steps', () => {
  test.each(names.filter((name) => name !== 'curl'))('for %s is valid, and imports what the package has', (name) => {
    const code = `${serverSnippet(name, 'https://fraud.example')}\n${pageSnippet}`;
    // The page and the files of a framework are modules of their own.
    for (const [index, module] of code.split(/^\/\/ app\/.*$|(?=import \{ whorlPage)/m).entries()) {
      const { diagnostics = [] } = typescript.transpileModule(module, {
        fileName: `${name}-${index}.js`,
        reportDiagnostics: true,
        compilerOptions: {
          allowJs: true,
          module: typescript.ModuleKind.ESNext,
          target: typescript.ScriptTarget.ESNext,
        },
      });
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    }
    const imports = [...code.matchAll(/import \{ ([^}]+) \} from 'whorl\/([\w-]+)'/g)];
    expect(imports.length).toBeGreaterThan(2);
    for (const [, imported = '', entry] of imports) {
      const types = readFileSync(new URL(`dist/${entry}.d.ts`, root), 'utf8');
      for (const each of imported.split(', ')) expect(types, entry).toMatch(new RegExp(`\\b${each}\\b`));
    }
  });

  test('links pages of the documentation', () => {
    for (const { docs } of Object.values(frameworks)) {
      const [page = '', heading] = docs.split('#');
      const text = readFileSync(new URL(`docs/${page}.md`, root), 'utf8');
      if (heading) expect(text.toLowerCase()).toContain(`\n## ${heading}\n`);
    }
  });

  test('is for any language if no known framework is named', () => {
    expect([frameworkIn(null), frameworkIn('toString'), frameworkIn('hono')]).toEqual(['curl', 'curl', 'hono']);
  });
});
