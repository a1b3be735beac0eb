// Writes the public types of each entry point to test/package/api/, so that a change of them is visible in review.
//   node scripts/api-report.mjs [--check]     with --check, fails if a file is out of date. Run it after `npm run build`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}test/package/api/`;
const modifiers = /^(?:export )?(?:declare )?/;
const printer = ts.createPrinter({ removeComments: true });
if (process.argv[1] === fileURLToPath(import.meta.url)) main();

function main() {
  const outdated = readApi().filter(({ entryPoint, types }) => {
    const file = `${folder}${entryPoint.replaceAll('/', '-')}.txt`;
    const text = types.map(({ isExported, code }) => (isExported ? `export ${code}` : code)).join('\n\n');
    if (read(file) === `${text}\n`) return false;
    mkdirSync(folder, { recursive: true });
    if (!process.argv.includes('--check')) writeFileSync(file, `${text}\n`);
    return true;
  });
  const names = outdated.map(({ entryPoint }) => entryPoint).join(', ');
  if (!process.argv.includes('--check')) return console.log(names ? `Written: ${names}` : 'Nothing has changed.');
  if (!names) return console.log('The public types are those in test/package/api.');
  console.error(`The public types of ${names} differ from test/package/api. If that is intended, run: npm run api`);
  process.exitCode = 1;
}

/**
 * Returns the entry points of the built package, with the types that each exports, and those that these refer to.
 *
 * @returns {{ entryPoint: string, types: { name: string, isExported: boolean, comment: string, code: string, source: string }[] }[]}
 *   `code` has no comments, and `source` those of the members.
 */
export function readApi() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const entryPoints = Object.entries(exports).flatMap(([name, { types }]) =>
    types ? [{ entryPoint: name.replace(/^\./, 'whorl'), file: root + types.slice(2) }] : [],
  );
  const program = ts.createProgram(
    entryPoints.map(({ file }) => file),
    {
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      module: ts.ModuleKind.ESNext,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  return entryPoints.map(({ entryPoint, file }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    const exported = new Map(
      checker.getExportsOfModule(module).map((symbol) => [original(symbol, checker), symbol.name]),
    );
    const types = [...reachable([...exported.keys()], checker)].map((symbol) => ({
      name: exported.get(symbol) ?? symbol.name,
      isExported: exported.has(symbol),
      comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      code: symbol.declarations.map(print).join('\n'),
      source: symbol.declarations.map((each) => statementOf(each).getText().replace(modifiers, '')).join('\n'),
    }));
    return { entryPoint, types: types.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });
}

function original(symbol, checker) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the symbols, and those of the package that their declarations name, directly or through others. */
function reachable(symbols, checker) {
  const found = new Set(symbols);
  for (const symbol of found) for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found;

  function visit(node) {
    if (ts.isIdentifier(node)) {
      const named = checker.getSymbolAtLocation(node);
      const target = named && original(named, checker);
      if (target?.declarations?.some(isOwnStatement)) found.add(target);
    }
    ts.forEachChild(node, visit);
  }
}

/** Whether it is a declaration at the top level of one of the package's files. A namespace's is a file, without parent. */
function isOwnStatement(declaration) {
  const statement = statementOf(declaration);
  return (
    statement.parent &&
    ts.isSourceFile(statement.parent) &&
    statement.getSourceFile().fileName.startsWith(`${root}dist/`)
  );
}

/** The statement of a variable is two levels above it. */
function statementOf(declaration) {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function print(declaration) {
  const statement = statementOf(declaration);
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile());
  return text.replace(modifiers, '');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
