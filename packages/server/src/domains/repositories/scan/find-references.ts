import type { CodeReferenceKind } from '@svc/contract';

/** A line that names a table. */
export type FoundReference = {
  readonly path: string;
  readonly line: number;
  readonly table: string;
  readonly kind: CodeReferenceKind;
  readonly snippet: string | null;
};

const snippetLengthMax = 300;
/** Longer lines are generated: nobody reads them, and a table in them says nothing. */
const lineLengthMax = 2_000;

/** What a line may hold that must not be copied anywhere: the name of a secret with a value, or a value's own shape. */
const secretLike =
  /(pass(word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|connection[_-]?string)\w*["'\]]?\s*[:=]|:\/\/[^\s/:@]+:[^\s/@]+@|-----BEGIN|\b(ghp|gho|glpat|xox[abp]|sk|AKIA|eyJ)[-_A-Za-z0-9]{12,}/i;

const identifier = /[A-Za-z_][A-Za-z0-9_$]*/g;
const migrationPath =
  /(^|\/)(migrations?|migrate|alembic|flyway|liquibase|changelogs?)(\/|$)|(^|\/)V\d+[\d_.]*__[^/]*\.sql$/i;
const definition =
  /\b(create|alter|drop|rename)\s+(or\s+replace\s+)?(temp(orary)?\s+|materialized\s+|unlogged\s+)?(table|view)\b|\b(create|alter|drop|rename)_?table\b/i;
const model =
  /@\s*(Table|Entity)\b|\[\s*Table\s*\(|__tablename__|\btable_?name\b|\bdb_table\b|\btoTable\s*\(|\b(pg|mysql|sqlite)Table\s*\(|\bsequelize\.define\s*\(|@@map\s*\(/i;
/** Words that a table's name stands after in SQL. */
const beforeTable =
  /\b(from|join|into|update|table|references|truncate|using)\s+(only\s+)?((["`[]?)\w+\4[\]"`]?\s*\.\s*)*["`[]?$/i;
const quoted = /["'`]$/;

/** Names of tables, ready to be looked for: by lower case, as the data source spells them. */
export const knownTables = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

function kindOf(path: string, line: string, at: number, end: number): CodeReferenceKind | undefined {
  const before = line.slice(0, at);
  const isQuoted = quoted.test(before) && line[end] === before.at(-1);
  if (migrationPath.test(path) || definition.test(before))
    return isQuoted || definition.test(line) || beforeTable.test(before) ? 'Migration' : undefined;
  if (model.test(line) && (isQuoted || /=\s*$/.test(before))) return 'Model';
  if (beforeTable.test(before)) return 'RawSql';
  // A bare word may be anything; between quotes it is most likely the name.
  return isQuoted ? 'Other' : undefined;
}

/** The lines of a file that name a table, each table once for each line. */
export function findReferences(
  path: string,
  text: string,
  tables: ReadonlyMap<string, string>,
): FoundReference[] {
  const found: FoundReference[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length > lineLengthMax) continue;
    const seen = new Set<string>();
    for (const match of line.matchAll(identifier)) {
      const table = tables.get(match[0].toLowerCase());
      if (table === undefined || seen.has(table)) continue;
      const kind = kindOf(path, line, match.index, match.index + match[0].length);
      if (kind === undefined) continue;
      seen.add(table);
      const snippet = secretLike.test(line) ? null : line.trim().slice(0, snippetLengthMax);
      found.push({ path, line: index + 1, table, kind, snippet });
    }
  }
  return found;
}
