import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A use that only `packages/pg-wire` may contain, and its pattern in the text. */
type Sign = {
  readonly what: string;
  readonly pattern: RegExp;
  /** Restricts the sign to files whose text matches this pattern. */
  readonly where?: RegExp;
};

const importsPg = /(?:from|import\() ?'pg(?:-cursor)?'/;

const signs: readonly Sign[] = [
  {
    what: 'an undeclared name of the driver',
    pattern:
      /\b(?:processID|parsedStatements|submittedNamedStatements|sendCopyFail|endCopyFrom|_queryable|_queryQueue|_activeQuery|_getActiveQuery|_txStatus|_pulseQueryQueue|_ending)\b/,
  },
  {
    what: 'a query of another maker',
    pattern:
      /\bhandle(?:RowDescription|DataRow|PortalSuspended|CommandComplete|EmptyQuery|CopyInResponse|CopyData|ReadyForQuery)\b/,
  },
  { what: 'an inner module of the driver', pattern: /'(?:pg\/|pg-(?:protocol|types|pool)(?:\/|'))/ },
  { what: 'an undeclared option of a query', pattern: /\bQueryConfig\b.*\bquery_timeout\b/ },
  { what: 'a cast past the declared types of the driver', pattern: /\bas unknown as\b/, where: importsPg },
  {
    what: 'a cast of a client',
    pattern: /\b(?:\w+[.])?(?:client|pgClient|poolClient) as (?:unknown as|any|never)\b/,
    where: /^(?!(?:.|\n)*'mysql2)/,
  },
];

/** Returns the uses of undeclared members of the PostgreSQL driver, with their lines. */
export function driverInternalsIn(text: string): { readonly line: number; readonly what: string }[] {
  const lines = text.split('\n');
  return signs
    .filter(({ where }) => where === undefined || where.test(text))
    .flatMap(({ what, pattern }) =>
      lines.flatMap((line, at) => (pattern.test(line) ? [{ line: at + 1, what }] : [])),
    )
    .sort((a, b) => a.line - b.line);
}

/** Files that may contain the signs: the package itself, this check and the boundary test. */
const holders = /^(?:packages\/pg-wire\/|tools\/check\/driver-internals|tools\/boundaries[.]test[.]ts$)/;

/** Returns the files outside `packages/pg-wire` that use undeclared members of the driver, tests included. */
export function findDriverInternals(root: string, folders: readonly string[]): string[] {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`),
    {
      cwd: root,
      exclude: (entry) => ['node_modules', 'dist'].includes(path.basename(String(entry))),
    },
  );
  return files
    .filter((file) => !holders.test(file))
    .sort()
    .flatMap((file) =>
      driverInternalsIn(readFileSync(path.join(root, file), 'utf8')).map(
        ({ line, what }) => `${file}:${line}: ${what} belongs into packages/pg-wire (docs/adr/pg-wire.md).`,
      ),
    );
}
