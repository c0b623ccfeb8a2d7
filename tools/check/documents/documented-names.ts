import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '../../../packages/contract/src/index.ts';
import { settings } from '../../../packages/server/src/platform/config/index.ts';
import { paths } from '../../../packages/web/src/lib/paths.ts';

/** Names that a document may use, because they exist. */
export type KnownNames = {
  /** Keys of settings, in lower case for comparison. */
  readonly settings: ReadonlySet<string>;
  /** `GET /svc/api/queries/{id}`. */
  readonly routes: readonly string[];
  /** Pages of the UI, as path patterns. */
  readonly pages: readonly string[];
  /** Commands of the host with their options, such as `config print` and `--all`. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
  /** Scripts of the root's package.json, and of packages with their names, such as `@svc/web build`. */
  readonly scripts: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
  /** Arguments of tools. */
  readonly toolArguments: ReadonlySet<string>;
  readonly problems: ReadonlySet<string>;
};

/** Routes of the service without a declaration: protocols, documents, files of the UI. */
const otherRoutes = [
  'ANY /svc/mcp',
  'ANY /svc/api/hub',
  'GET /svc/help/errors',
  'GET /svc/help/{page}',
  'GET /svc/llms.txt',
  'GET /svc/llms-full.txt',
  'GET /svc/assets/{file}',
];

/** Documents that name tools of the MCP endpoint. */
const toolDocuments = /docs\/guides\/(mcp-clients|publishing-queries|asking)\.md$/;
/** The page that lists all tools. */
const toolsPage = 'docs/guides/mcp-clients.md';
/** The page that lists all commands. */
const commandsPage = 'docs/guides/operating.md';
/** Error codes of OAuth that resemble tool names. */
const oauthErrors = ['invalid_token', 'insufficient_scope'];

const documents = [
  '{README,SECURITY,CONTRIBUTING}.md',
  'docs/*.md',
  'docs/{guides,recipes}/*.md',
  'packages/*/README.md',
];

const hostProgram = 'apps/host/src/program.ts';

type Manifest = { readonly name: string; readonly scripts?: Readonly<Record<string, string>> };

const readManifest = (root: string, file: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Manifest;

/** Reads the existing names from the code. */
export function readKnownNames(root: string): KnownNames {
  const exported: readonly unknown[] = Object.values(contract);
  const endpoints = exported.filter(
    (one): one is Pick<contract.Endpoint, 'method' | 'path'> =>
      typeof one === 'object' && one !== null && 'operationId' in one,
  );
  const tools = globSync('packages/server/src/domains/mcp/tools/*.ts', { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  const packages = globSync('packages/*/package.json', { cwd: root }).map((file) => readManifest(root, file));
  return {
    settings: new Set(Object.keys(settings).map((key) => key.toLowerCase())),
    routes: [...endpoints.map(({ method, path: route }) => `${method} ${route}`), ...otherRoutes],
    pages: Object.values(paths).map((make) =>
      (make as (...ids: number[]) => string)(0, 0).replace(/\?.*/, ''),
    ),
    commands: readCommands(readFileSync(path.join(root, hostProgram), 'utf8')),
    scripts: new Set([
      ...Object.keys(readManifest(root, 'package.json').scripts ?? {}),
      ...packages.flatMap(({ name, scripts }) =>
        Object.keys(scripts ?? {}).map((script) => `${name} ${script}`),
      ),
    ]),
    tools: new Set([...tools.matchAll(/^ {2}name: '([a-z_]+)',$/gm)].map(([, name = '']) => name)),
    toolArguments: new Set([...tools.matchAll(/^\s+([a-z]+(?:_[a-z]+)+): /gm)].map(([, name = '']) => name)),
    problems: new Set(Object.keys(contract.problemCodes)),
  };
}

/** Returns the commands with their options from the source of the host's program. */
export function readCommands(source: string): ReadonlyMap<string, ReadonlySet<string>> {
  const commands = new Map<string, ReadonlySet<string>>();
  for (const [statement] of source.matchAll(
    /^ {2}(?:const config = )?(?:program|config)\s*\.command\([\s\S]*?;\n/gm,
  )) {
    const names = [...statement.matchAll(/\.command\('([\w-]+)'/g)].map(([, name = '']) => name);
    const parent = /^ {2}config\s/.test(statement) ? ['config'] : [];
    const options = [...statement.matchAll(/\.option\('([^']+)'/g)].flatMap(([, flags = '']) => [
      ...flags.matchAll(/(?<![\w-])--?[a-z][\w-]*/g),
    ]);
    commands.set([...parent, ...names].join(' '), new Set(options.map(([flag]) => flag)));
  }
  return commands;
}

/** Returns the names in a text that do not exist. */
export function findUnknownNames(file: string, text: string, names: KnownNames): string[] {
  const faults = [
    ...unknownSettings(text, names),
    ...unknownRoutes(text, names),
    ...unknownCommands(text, names),
    ...unknownScripts(text, names),
    ...unknownProblems(text, names),
    ...(toolDocuments.test(file) ? unknownTools(text, names) : []),
  ];
  return [...new Set(faults)].map((fault) => `${file}: ${fault}`);
}

function unknownSettings(text: string, names: KnownNames): string[] {
  const keys = [...names.settings];
  const isKnown = (key: string): boolean => {
    const plain = key.toLowerCase();
    if (names.settings.has(plain)) return true;
    // A map or list by one of its entries, or a group of settings by its prefix.
    return (
      keys.some((one) => plain.startsWith(`${one}:`) && /:\d+$/.test(plain)) ||
      keys.some((one) => one.startsWith(`${plain}:`))
    );
  };
  const written = [
    ...text.matchAll(/(?<![\w.])Svc:((?:[A-Z][A-Za-z]*:)*)(\{[^}]+\}|\*|[A-Z][A-Za-z]*)/g),
  ].flatMap(([, group = '', last = '']) =>
    (last.startsWith('{') ? last.slice(1, -1).split(',') : [last]).map((name) =>
      `Svc:${group}${name.trim()}`.replace(/:\*$/, ''),
    ),
  );
  const variables = [
    ...text.matchAll(/(?<!\w)Svc__([A-Za-z]+(?:__[A-Za-z]+)*)((?:__\d+)?)(_FILE)?(?!\w)/g),
  ].map(([, name = '']) => `Svc:${name.replaceAll('__', ':').replace(/_FILE$/, '')}`);
  return [...written, ...variables]
    .filter((key) => !isKnown(key))
    .map((key) => `there is no setting ${key}.`);
}

const segmentsFit = (template: string, route: string): boolean => {
  const [wanted, given] = [template.split('/'), route.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => part === given[at] || (/^\{.*\}$/.test(part) && given[at] !== ''))
  );
};

function unknownRoutes(text: string, { routes, pages }: KnownNames): string[] {
  const matches = text.matchAll(
    /(?:\b(GET|POST|PUT|PATCH|DELETE) )?(?<![\w.}…>-])(\/svc\/[\w{}./-]*[\w}])(?:\?[\w=&%-]*)?/g,
  );
  return [...matches].flatMap(([, method, route = '']) => {
    const isApi = routes.some((one) => {
      const [own = '', template = ''] = one.split(' ');
      const fits = segmentsFit(template, route) || (method === undefined && template.startsWith(`${route}/`));
      return fits && (method === undefined || own === 'ANY' || own === method);
    });
    const page = route.replace(/^\/svc/, '');
    const isPage =
      method === undefined && pages.some((one) => segmentsFit(one.replaceAll(/\b0\b/g, '{id}'), page));
    return isApi || isPage ? [] : [`there is no route ${method === undefined ? '' : `${method} `}${route}.`];
  });
}

function unknownCommands(text: string, { commands }: KnownNames): string[] {
  const lines = [...text.matchAll(/(?:npm run svc -- |apps\/host\/src\/cli\.ts )([^\n`|#;]*)/g)].map(
    ([, line = '']) => line,
  );
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const firstOption = words.findIndex((word) => word.startsWith('-'));
    const named = firstOption === -1 ? words : words.slice(0, firstOption);
    const flags = words.filter((word) => /^--?[a-z]/.test(word)).map((flag) => flag.replace(/[.,)]+$/, ''));
    const command = [2, 1].map((count) => named.slice(0, count).join(' ')).find((name) => commands.has(name));
    if (command === undefined)
      // A placeholder such as `COMMAND`, or the program without a command, is not a fault.
      return named.length === 0 || /^[A-Z]+$/.test(named[0] ?? '')
        ? []
        : [`there is no command "${line.trim()}".`];
    return flags
      .filter((flag) => flag !== '--help' && !commands.get(command)?.has(flag))
      .map((flag) => `the command ${command} has no option ${flag}.`);
  });
}

function unknownScripts(text: string, { scripts }: KnownNames): string[] {
  return [...text.matchAll(/\bnpm run ([a-z][\w:-]*)(?: -w (@svc\/[\w-]+))?/g)]
    .map(([, script, workspace]) => (workspace === undefined ? `${script}` : `${workspace} ${script}`))
    .filter((script) => !scripts.has(script))
    .map((script) => `there is no npm script ${script}.`);
}

const unknownProblems = (text: string, { problems }: KnownNames): string[] =>
  [...text.matchAll(/(?:\bcode|\b[45]\d\d),? `([a-z]+(?:-[a-z]+)+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => !problems.has(code))
    .map((code) => `there is no problem code ${code}.`);

const unknownTools = (text: string, { tools, toolArguments }: KnownNames): string[] =>
  [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !tools.has(name) && !toolArguments.has(name) && !oauthErrors.includes(name))
    .map((name) => `there is no MCP tool ${name}.`);

/** Returns the names that exist and that the page for their kind does not list. */
export function findUnlistedNames(names: KnownNames, textOf: (file: string) => string): string[] {
  const rows = [...textOf(commandsPage).matchAll(/^\| `([^`]+)` \|/gm)].map(([, row = '']) => row);
  const commands = [...names.commands.keys()].filter(
    (name) =>
      !rows.some((row) => row === name || row.startsWith(`${name} `)) &&
      ![...names.commands.keys()].some((other) => other.startsWith(`${name} `)) &&
      !/^(secrets|config|demo)$/.test(name),
  );
  const tools = [...names.tools].filter((name) => !textOf(toolsPage).includes(`\`${name}\``));
  return [
    ...commands.map((name) => `${commandsPage}: the command ${name} is not listed.`),
    ...tools.map((name) => `${toolsPage}: the tool ${name} is not named.`),
  ];
}

/** Returns the settings, routes, commands, scripts, problem codes and tools in documents that do not exist. */
export function findNameFaults(root: string): string[] {
  const names = readKnownNames(root);
  const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const files = documents.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  return [
    ...files.flatMap((file) => findUnknownNames(file, textOf(file), names)),
    ...findUnlistedNames(names, textOf),
  ];
}
