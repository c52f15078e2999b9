// The arrows of the house (docs/architecture.md): an import only ever points down.
const room = (names) => `^src/(${names})/`;
const DOORS = 'cli|tui|gateway|acp|api|cron|batch';
const SERVICES = 'model|tools|memory|skills|mcp|plugins|security|terminal';
const GROUND = 'state|config|lib|contracts';
const ABOVE_GROUND = `${SERVICES}|agent|commands|${DOORS}`;

const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid(
      'no-cycle',
      'Two files that import each other cannot be understood or loaded apart: move what both need into a third.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'lib-knows-nothing-of-ours',
      'lib/ holds general helpers; it must not know Hermes.',
      { path: room('lib') },
      { path: '^src/(?!lib/)' },
    ),
    forbid(
      'contracts-are-types-only',
      'contracts/ is shared by every layer, so it may import nothing of ours but itself.',
      { path: room('contracts') },
      { path: '^src/(?!contracts/)' },
    ),
    forbid(
      'config-knows-no-service',
      'config/ is ground: services read it, never the other way round.',
      { path: room('config') },
      { path: '^src/(?!config/|lib/|contracts/)' },
    ),
    forbid(
      'state-knows-no-service',
      'state/ is ground: only it knows the database, and it must not know models or tools.',
      { path: room('state') },
      { path: '^src/(?!state/|config/|lib/|contracts/)' },
    ),
    forbid(
      'service-never-imports-core',
      'A service never imports the core or a door: what it needs is handed to it.',
      { path: room(SERVICES) },
      { path: `^src/(agent|commands|${DOORS})/|^src/(app(/|\\.ts$)|main\\.ts$)` },
    ),
    forbid(
      'model-knows-no-session',
      'model/ turns configuration into a streaming model; it must not know sessions, tools or memory.',
      { path: room('model') },
      { path: room('state|tools|memory|skills|mcp|terminal|plugins') },
    ),
    forbid(
      'security-knows-no-tool',
      'security/ judges plain values; it must not know the tools, models or processes it protects.',
      { path: room('security') },
      { path: room('tools|model|memory|skills|mcp|terminal|plugins') },
    ),
    forbid(
      'terminal-knows-no-tool',
      'terminal/ runs commands; the schemas of the tools that use it stay in tools/.',
      { path: room('terminal') },
      { path: room('tools|model|memory|skills|mcp|plugins') },
    ),
    forbid(
      'memory-knows-no-tool',
      'memory/ is a store; the tool that writes to it lives in tools/.',
      { path: room('memory') },
      { path: room('tools|model|skills|mcp|terminal|plugins') },
    ),
    forbid(
      'core-never-imports-a-door',
      'The core is driven by doors through TurnIO and must not know any of them.',
      { path: room('agent') },
      { path: `^src/(commands|${DOORS})/|^src/(app(/|\\.ts$)|main\\.ts$)` },
    ),
    forbid(
      'commands-know-no-door',
      'Slash commands serve every door, so they may not import one.',
      { path: room('commands') },
      { path: `^src/(${DOORS})/|^src/main\\.ts$` },
    ),
    forbid(
      'a-door-never-imports-another',
      'Doors stand side by side: what two of them need belongs in commands/, agent/ or lib/.',
      { path: `^src/(${DOORS})/` },
      { path: `^src/(${DOORS})/`, pathNot: '^src/$1/' },
    ),
    forbid(
      'app-knows-no-door',
      'app.ts composes the services for whatever door asks; it must not know who asks.',
      { path: '^src/app(/|\\.ts$)' },
      { path: `^src/(${DOORS})/|^src/main\\.ts$` },
    ),
    forbid(
      'nothing-imports-main',
      'main.ts is the entry; a part that needs something of it should be given it.',
      { path: `^src/(${GROUND}|${ABOVE_GROUND})/|^src/app(/|\\.ts$)` },
      { path: '^src/main\\.ts$' },
    ),
    forbid(
      'tests-stay-tests',
      'Shipped code never imports a test or a helper of tests.',
      { path: '^src/', pathNot: '\\.test\\.ts$' },
      { path: '\\.test\\.ts$|^test/' },
    ),
    forbid('unresolvable', 'This import leads nowhere.', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
    exclude: { path: '\\.test\\.ts$' },
  },
};
