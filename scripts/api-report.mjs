// Writes the public types of each entry point to test/package/api/, so that a change of them is visible in review.
//   node scripts/api-report.mjs [--check]     with --check, fails if a file is out of date. Run it after `npm run build`.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}test/package/api/`;
/** Entry points whose types the others use. Their reports are written first. */
const first = ['whorl/wire', 'whorl/fingerprint', 'whorl', 'whorl/server', 'whorl/express'];
const modifiers = /^(?:export )?(?:declare )?/;
const printer = ts.createPrinter({ removeComments: true });
if (process.argv[1] === fileURLToPath(import.meta.url)) main();

function main() {
  const isCheck = process.argv.includes('--check');
  mkdirSync(folder, { recursive: true });
  const reports = writeReports(readApi());
  const outdated = [...reports].filter(([file, text]) => read(folder + file) !== text).map(([file]) => file);
  const removed = readdirSync(folder).filter((file) => !reports.has(file));
  const names = [...outdated, ...removed].join(', ');
  if (isCheck && names) {
    console.error(`The public types differ from test/package/api: ${names}. If that is intended, run: npm run api`);
    process.exitCode = 1;
    return;
  }
  if (!isCheck) {
    for (const file of outdated) writeFileSync(folder + file, reports.get(file));
    for (const file of removed) rmSync(folder + file);
  }
  console.log(names ? `Written: ${names}` : 'The public types are those in test/package/api.');
}

/**
 * Returns the text of each entry point's report, by file name. A type that an earlier report contains is only named, with
 * that report if it is exported, so that a change of one type changes one file.
 *
 * @param {ReturnType<typeof readApi>} api
 */
function writeReports(api) {
  /** @type {Map<string, string>} */
  const written = new Map();
  const reports = new Map();
  const rank = ({ entryPoint }) => (first.includes(entryPoint) ? first.indexOf(entryPoint) : first.length);
  for (const { entryPoint, types } of [...api].sort((a, b) => rank(a) - rank(b))) {
    const own = types.filter(({ code }) => !written.has(code));
    const lines = own.map(({ isExported, code }) => (isExported ? `export ${code}` : code));
    reports.set(fileOf(entryPoint), `${[...references(types, written), ...lines].join('\n\n')}\n`);
    for (const { code } of own) written.set(code, entryPoint);
  }
  return reports;
}

/** Returns a line for each earlier report that contains some of the exported types. */
function references(types, written) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const { name, code, isExported } of types) {
    const source = isExported ? written.get(code) : undefined;
    if (source !== undefined) groups.set(source, [...(groups.get(source) ?? []), name]);
  }
  return [...groups].sort().map(([source, names]) => `// As in ${source}: ${names.join(', ')}`);
}

function fileOf(entryPoint) {
  return `${entryPoint.replaceAll('/', '-')}.txt`;
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
