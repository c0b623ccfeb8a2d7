// Dependency rules of ARCHITECTURE.md, one named rule each. `tools/boundaries.test.ts` plants a violation of every rule
// and expects its name.

const serverSource = '^packages/server/src';

/** Test code. It may cross the boundaries of production code. */
const testCode =
  '[.](test|spec)[.]tsx?$|/testing([.]ts$|/)|^packages/testkit/|^(spec|tools|bench|trials|examples)/';
/** Modules that open or accept connections. */
const network = [
  '^(node:)?(net|tls|http|https|http2|dns|dns/promises|dgram)$',
  'node_modules/(undici|ws|axios|got|node-fetch)/',
];
/** Libraries that verify third-party tokens. */
const tokenLibraries = ['node_modules/(jose|openid-client|oauth4webapi|jsonwebtoken)/'];
/** Files that may use them: access tokens with their keys, and ID tokens. */
const tokenVerifiers = [
  '^packages/server/src/domains/bearer-tokens/(verify|keys)[.]ts$',
  '^packages/server/src/domains/single-sign-on/provider[.]ts$',
];
/** Files that sign tokens with a key and verify none. */
const tokenSigners = ['^packages/connectors/src/(bigquery/tokens|snowflake/credentials)[.]ts$'];
const workspaceCode = '^(packages|apps|tools|spec|bench|trials|examples)/';

/** Entry points of a domain, between external callers and its service. */
const domainEntrances = [
  `${serverSource}/domains/[^/]+/(routes|jobs|tools)([.]ts$|/)`,
  `${serverSource}/domains/.+-(routes|jobs|tools)[.]ts$`,
];
const domainStores = [`${serverSource}/domains/.+/store([.]ts$|/)`, `${serverSource}/domains/.+-store[.]ts$`];
const pureFiles = [
  `${serverSource}/domains/[^/]+/(access|present)([.]ts$|/)`,
  `${serverSource}/domains/.+-(access|present)[.]ts$`,
];
/** Access to the database: the platform's folder and its libraries. */
const databaseAccess = [`${serverSource}/platform/db/`, 'node_modules/(pg|pg-cursor|kysely)/'];

/** Restricts a rule to run time: imports of types only are allowed. */
const atRunTime = { dependencyTypesNot: ['type-only'] };

/** Folders and files that may open or accept connections in addition to the outbound gateway, with reasons. */
const connectionHolders = [
  '^packages/server/src/platform/outbound/', // the gateway
  '^packages/server/src/platform/hub/', // accepts the hub's WebSockets
  '^packages/server/src/platform/http/', // `isIP` for client addresses; accepts no connections
  '^packages/server/src/platform/db/built-in/', // searches for a free loopback port for the demo's database
  '^packages/server/src/domains/repositories/scan/child[.]ts$', // disables the network of its process
  '^packages/jobs/src/engine/listener[.]ts$', // TCP keep-alive on the LISTEN connection of the job library's own database
  '^packages/jobs/src/http/', // answers requests to exposed handlers; opens no connections
  '^apps/', // the standalone host listens
];

/** Files that may open sessions of database servers, as a client or a pool. */
const sessionHolders = [
  '^packages/jobs/src/db/(connections|bounded-client)[.]ts$', // pools and clients of the metadata
  '^packages/server/src/platform/db/built-in/admin-client[.]ts$', // before the service's database exists
  '^packages/connectors/src/postgresql/connection/link[.]ts$', // data sources
  '^packages/connectors/src/mysql/session[.]ts$',
  '^packages/connectors/src/sqlserver/connect[.]ts$',
];
/** Public modules of the drivers. Modules that only convert values open no connections. */
const databaseDrivers = [
  'node_modules/pg/(?!lib/utils[.]js$)',
  'node_modules/(pg-pool|pg-native|mysql2|tedious)/',
];

/** Modules inside the driver of PostgreSQL. */
const driverInternals = [
  'node_modules/pg/lib/(?!index[.]js$)',
  'node_modules/(pg-protocol|pg-types|pg-pool|pg-connection-string)/',
];
/** Packages and folders that may use `pg-wire`. */
const wireUsers = [
  '^packages/(pg-wire|jobs)/',
  '^packages/connectors/src/postgresql/',
  `${serverSource}/platform/db/`,
];

/** Code that writes to data sources: the writers' index, and the folder of each engine. */
const writers = ['^packages/connectors/src/writers/', '^packages/connectors/src/[a-z]+/writer/'];

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    rule(
      'contract-imports-nothing-of-ours',
      'The contract is shared by the server and the browser: it stands alone.',
      { path: '^packages/contract/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/contract/' },
    ),
    rule(
      'contract-does-no-io',
      'The contract declares; it runs in the browser too.',
      { path: '^packages/contract/', pathNot: testCode },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'pg-wire-imports-nothing-of-ours',
      'What knows the inside of the driver knows nothing else.',
      { path: '^packages/pg-wire/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/pg-wire/' },
    ),
    rule(
      'driver-internals-in-pg-wire',
      'The modules inside `pg` change with any of its versions: one package holds them, with a contract test.',
      { pathNot: '^packages/pg-wire/' },
      { path: driverInternals },
    ),
    rule(
      'pg-wire-below-databases',
      'The wire is for what runs statements: the jobs, the PostgreSQL connector and the folder of the metadata database.',
      { path: '^(packages|apps)/', pathNot: [...wireUsers, testCode] },
      { path: '^packages/pg-wire/' },
    ),
    rule(
      'jobs-imports-only-pg-wire',
      'The job library is used without the service.',
      { path: '^packages/jobs/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/(jobs|pg-wire)/' },
    ),
    rule(
      'dashboard-imports-only-jobs',
      'The dashboard goes with the job library, wherever that is used.',
      { path: '^packages/jobs-dashboard/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/jobs(-dashboard)?/' },
    ),
    rule(
      'connectors-import-nothing-of-ours',
      'An engine is reached through the port alone. The wire of PostgreSQL is no part of the service.',
      { path: '^packages/connectors/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/(connectors|contract|pg-wire)/' },
    ),
    rule(
      'channels-import-nothing-of-ours',
      'A channel is reached through the port alone.',
      { path: '^packages/channels/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/(channels|contract)/' },
    ),
    rule(
      'connectors-open-no-socket',
      'Connections are dialled by the outbound door and passed in. `isIP`, and TLS and HTTP over a given socket, are no sockets of ours.',
      {
        path: '^packages/connectors/',
        pathNot: `${testCode}|^packages/connectors/src/(network-settings|tls|http/client|postgresql/connection/cancel|(mysql|clickhouse|databricks|rest|snowflake)/settings)[.]ts$`,
      },
      { path: network, ...atRunTime },
    ),
    rule(
      'channels-open-no-socket',
      'Requests are made by the outbound door and passed in.',
      { path: '^packages/channels/', pathNot: testCode },
      { path: network, ...atRunTime },
    ),
    rule(
      'client-imports-nothing',
      'The client is used without anything else of ours; what writes it knows the service.',
      { path: '^packages/client/src/', pathNot: testCode },
      { pathNot: '^packages/client/src/' },
    ),
    rule(
      'cli-imports-only-client',
      'The command line knows the service as every program does.',
      { path: '^packages/cli/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/(cli|client)/' },
    ),
    rule(
      'web-imports-only-contract',
      'The UI knows the service by its contract.',
      { path: '^packages/web/', pathNot: testCode },
      { path: workspaceCode, pathNot: '^packages/(web|contract)/' },
    ),
    rule(
      'web-lib-below-all',
      'lib is the ground of the UI: it knows neither requests nor anything that is drawn.',
      { path: '^packages/web/src/lib/', pathNot: testCode },
      { path: '^packages/web/src/(?!lib/|vite-env)' },
    ),
    rule(
      'web-requests-below-ui',
      'A request says what is read or changed, and nothing of how it is drawn.',
      { path: '^packages/web/src/requests/', pathNot: testCode },
      { path: '^packages/web/src/(?!lib/|requests/)' },
    ),
    rule(
      'web-ui-knows-no-records',
      'The parts in ui are drawn with what they are given.',
      { path: '^packages/web/src/ui/', pathNot: testCode },
      { path: '^packages/web/src/(requests|access|views|features|app)/' },
    ),
    rule(
      'web-views-below-features',
      'What several features show stands below all of them.',
      { path: '^packages/web/src/(access|views)/', pathNot: testCode },
      { path: '^packages/web/src/(features|app)/' },
    ),
    rule(
      'web-features-below-app',
      'app, then features, then views, ui, requests and lib: one direction.',
      { path: '^packages/web/src/features/', pathNot: testCode },
      { path: '^packages/web/src/app/' },
    ),
    rule(
      'web-features-stand-alone',
      'A feature imports no other: shared reads stand in requests, shared views in views.',
      { path: '^packages/web/src/features/([^/]+)/', pathNot: testCode },
      { path: '^packages/web/src/features/', pathNot: '^packages/web/src/features/$1/' },
    ),
    rule(
      'nobody-imports-apps',
      'Applications are ends, not libraries. The root scripts that start one are their callers.',
      { pathNot: ['^apps/', '^tools/start([.]ts$|/)'] },
      { path: '^apps/' },
    ),
    rule(
      'platform-below-domains',
      'The platform knows no product nouns.',
      { path: `${serverSource}/platform/`, pathNot: testCode },
      { path: `${serverSource}/(gateways/|domains/|compose/|svc[.]ts$|index[.]ts$)` },
    ),
    rule(
      'operations-beside-the-service',
      'What is done from the machine works when the service does not: it knows the platform and the job library alone.',
      { path: `${serverSource}/operations/`, pathNot: testCode },
      { path: `${serverSource}/(gateways/|domains/|compose/|svc[.]ts$|index[.]ts$)` },
    ),
    rule(
      'gateways-below-domains',
      'Domains call the gateways, never the other way.',
      { path: `${serverSource}/gateways/`, pathNot: testCode },
      { path: `${serverSource}/(domains/|compose/|svc[.]ts$|index[.]ts$)` },
    ),
    rule(
      'domains-below-composition-root',
      'Only compose/ knows everything; nothing that it builds knows it.',
      { path: `${serverSource}/domains/`, pathNot: testCode },
      { path: `${serverSource}/(compose/|(svc|index)[.]ts$)` },
    ),
    rule(
      'composition-behind-svc',
      'What is put together is reached through createSvc; tests use it like everybody.',
      { pathNot: [`${serverSource}/(compose/|svc[.]ts$)`] },
      { path: `${serverSource}/compose/` },
    ),
    rule(
      'composition-holds-no-sql',
      'The composition root puts together; statements stand in the domains.',
      { path: `${serverSource}/(compose/|svc[.]ts$)`, pathNot: testCode },
      { path: 'node_modules/(pg|pg-cursor|kysely)/', ...atRunTime },
    ),
    rule(
      'domain-through-its-index',
      'A domain reaches another through its index.ts, and a test through its testing.ts.',
      { path: `${serverSource}/domains/([^/]+)/` },
      {
        path: `${serverSource}/domains/`,
        pathNot: `${serverSource}/domains/($1/|[^/]+/(index|testing)[.]ts$)`,
      },
    ),
    rule(
      'domains-entered-through-index',
      'Whoever uses a domain from outside uses its index.ts.',
      { path: serverSource, pathNot: `${serverSource}/domains/|${testCode}` },
      { path: `${serverSource}/domains/`, pathNot: '/domains/[^/]+/index[.]ts$' },
    ),
    rule(
      'entrances-call-the-service',
      'Routes, jobs and tools call the service, never the store.',
      { path: domainEntrances, pathNot: testCode },
      { path: domainStores },
    ),
    rule(
      'entrances-hold-no-sql',
      'Routes, jobs and tools hold no statements.',
      { path: domainEntrances, pathNot: testCode },
      { path: databaseAccess, ...atRunTime },
    ),
    rule(
      'access-and-present-do-no-io',
      'Who may and what is shown are pure functions.',
      { path: pureFiles, pathNot: testCode },
      {
        path: [
          ...domainStores,
          ...databaseAccess,
          ...network,
          `${serverSource}/platform/(outbound|events|hub)/`,
          // The index of a gateway also exports texts. All other files of a gateway are forbidden.
          `${serverSource}/gateways/[^/]+/(?!index[.]ts$)`,
          `${serverSource}/domains/.+[/-](service|routes|jobs)[.]ts$`,
          '^(node:)?(fs|fs/promises|child_process|worker_threads)$',
        ],
        ...atRunTime,
      },
    ),
    rule(
      'outbound-through-the-gateway',
      'One module decides about every connection that a user can steer.',
      {
        path: '^(packages|apps)/',
        pathNot: [...connectionHolders, testCode, '^packages/(connectors|channels|contract|web)/'],
      },
      { path: network, ...atRunTime },
    ),
    rule(
      'tokens-verified-in-one-place',
      'Libraries take any number for a time and any text for a subject: what they accept is asked further by these.',
      { path: '^(packages|apps)/', pathNot: [...tokenVerifiers, ...tokenSigners, testCode] },
      { path: tokenLibraries, ...atRunTime },
    ),
    rule(
      'sessions-are-listened-to',
      'A client of a database driver that nobody listens to ends the process when its session is lost: only these open any, with a listener for as long as it lives.',
      { path: '^(packages|apps)/', pathNot: [...sessionHolders, testCode] },
      { path: databaseDrivers, ...atRunTime },
    ),
    rule(
      'writers-through-copy-data',
      'One door writes to data sources: it asks whether a destination may be written to, and shows rows to nobody.',
      {
        pathNot: [
          ...writers,
          `${serverSource}/gateways/copy-data/`,
          '^packages/connectors/src/.+[.]test[.]ts$',
        ],
      },
      { path: writers },
    ),
    rule(
      'links-below-sessions',
      'A connection of the driver is read-only by nothing: a session begins the read-only transaction, and a writer its own.',
      {
        path: '^(packages|apps)/',
        pathNot: [
          '^packages/connectors/src/postgresql/connection/',
          '^packages/connectors/src/postgresql/writer/session[.]ts$',
          testCode,
        ],
      },
      { path: '^packages/connectors/src/postgresql/connection/link[.]ts$', ...atRunTime },
    ),
    rule(
      'environment-through-configuration',
      'process.env is read by platform/config and by applications; importing it by another name changes nothing.',
      { path: '^packages/', pathNot: `${testCode}|${serverSource}/platform/config/` },
      { path: '^(node:)?process$' },
    ),
    rule(
      'production-imports-no-tests',
      'What is tested does not depend on its tests.',
      { path: '^(packages|apps)/', pathNot: testCode },
      { path: testCode },
    ),
    rule(
      'testkit-database-knows-no-service',
      'Tests of the job library make databases with it, and need nothing of the service for that.',
      { path: '^packages/testkit/src/database/' },
      { path: '^packages/(server|testkit/src/(?!database/))', ...atRunTime },
    ),
    rule(
      'jobs-tests-know-no-service',
      'The job library is tested without the service: of the testkit it uses the room of databases.',
      { path: '^packages/jobs/' },
      { path: '^packages/testkit/src/(?!database/)' },
    ),
    rule(
      'no-cycles',
      'What imports itself starts in an order that nobody chose. Types may name each other: they are gone by then.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    rule('every-import-resolves', 'A module that is not there.', {}, { couldNotResolve: true }),
  ],
  options: {
    // Includes imports of types, which cross a boundary like any other import.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    exclude: { path: ['(^|/)dist/', '(^|/)coverage/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svc-source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.js', '.json'],
    },
  },
};
