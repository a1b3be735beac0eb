// The dependency rules of docs/architecture.md, checked by `npm test` (step "imports").
const rules = [
  '/rules/',
  'rules[.]ts$',
  '^service/src/(resources/addresses/addresses|ground/(group-by|ranges|time|vocabulary))[.]ts$',
];
const queries = ['/queries/', 'queries[.]ts$'];
const routes = ['/routes/', 'routes?[.]ts$'];
/**
 * Floors of service/src, lowest first. Folders of one line do not import each other. docs/architecture.md describes
 * them.
 */
const floors = [
  ['ground'],
  ['resources'],
  ['recognition'],
  ['evaluation'],
  ['challenges'],
  ['effects'],
  ['http'],
  ['api'],
  ['dashboard', 'challenge-page'],
  ['server'],
  ['cli'],
];
const features =
  '^service/src/(resources|recognition|evaluation|challenges|effects|api|dashboard|challenge-page|ground/messages)/';

/**
 * One rule for each folder: it imports itself and the floors below it. Files beside the folders import any, and none
 * imports them.
 */
const floorRules = floors.flatMap((folders, level) =>
  folders.map((folder) => ({
    name: `floor-of-${folder}`,
    comment: 'A folder imports only the folders of the floors below it. Imports of types count as well.',
    severity: 'error',
    from: { path: `^service/src/${folder}/` },
    to: { path: '^service/src/', pathNot: `^service/src/(${[...floors.slice(0, level).flat(), folder].join('|')})/` },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floorRules,
    {
      name: 'no-cycles',
      comment: 'Imports of types count as well.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is dead code.',
      severity: 'error',
      from: { orphan: true, pathNot: ['[.]d[.]ts$', '/main[.]ts$', '/written-docs[.]ts$', '^src/'] },
      to: {},
    },
    {
      name: 'rules-are-pure',
      comment: 'Rules are functions over plain data: they import other rules, types of the wire, and libraries.',
      severity: 'error',
      from: { path: rules },
      to: { path: '^service/src/', pathNot: rules },
    },
    {
      name: 'rules-do-no-io',
      severity: 'error',
      from: { path: rules },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|net|util|url|buffer)$' },
    },
    {
      name: 'queries-import-no-operation',
      comment: 'SQL imports the database, rules, and other queries.',
      severity: 'error',
      from: { path: queries },
      to: {
        path: '^service/src/',
        pathNot: [...rules, ...queries, '^service/src/ground/(db|crypto)/', '^service/src/resources/service[.]ts$'],
      },
    },
    {
      name: 'operations-import-no-route',
      comment: 'Routes import operations, not the other way round.',
      severity: 'error',
      from: { path: features, pathNot: ['route', 'cli'] },
      to: { path: routes, pathNot: '^service/src/http/' },
    },
    {
      name: 'routes-and-views-import-no-queries',
      comment: 'Routes call operations, and views show what operations loaded. Types of rows are allowed.',
      severity: 'error',
      from: { path: [...routes, 'view[.]ts$'] },
      to: { path: queries, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-of-other-features',
      comment: 'Only the list of endpoints imports routes of several features.',
      severity: 'error',
      from: { path: '^service/src/(api/[^/]+|[^/]+)/.*routes?(/|[.]ts$)', pathNot: '^service/src/server/' },
      to: { path: routes, pathNot: ['^service/src/$1/', '^service/src/http/'] },
    },
    {
      name: 'views-of-other-features',
      comment:
        'A page of one feature does not build on the HTML of another. The shared parts of pages are in http/pages.',
      severity: 'error',
      from: { path: '^service/src/([^/]+)/' },
      to: { path: '/(view/|[^/]*view[.]ts$)', pathNot: ['^service/src/$1/', '^service/src/http/'] },
    },
    {
      name: 'tests-over-http-use-the-entry',
      comment: 'They reach the service over HTTP, and otherwise through one file, so that files can move.',
      severity: 'error',
      from: { path: '^service/test/(http|support|access)/' },
      to: { path: '^service/src/', pathNot: '^service/src/testing[.]ts$' },
    },
    {
      name: 'the-collector-imports-no-storage',
      severity: 'error',
      from: { path: '^src/(collector|fingerprint|picture)/' },
      to: { path: '^src/(storage|evaluate|server)' },
    },
    {
      name: 'the-format-is-pure',
      severity: 'error',
      from: { path: '^src/(fingerprint|picture)/' },
      to: { path: '^src/', pathNot: '^src/(fingerprint/|picture/|wire/|errors[.]ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^dist' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      conditionNames: ['import', 'types'],
      exportsFields: ['exports'],
    },
  },
};
