import type { CodeReferenceKind } from '@svc/contract';

/** Line that names a table. */
export type FoundReference = {
  readonly path: string;
  readonly line: number;
  readonly table: string;
  readonly kind: CodeReferenceKind;
  readonly snippet: string | null;
};

const snippetLengthMax = 300;
/** Maximum length in characters. Longer lines are generated code, so a table in them is no evidence. */
const lineLengthMax = 2_000;

/** Matches lines that must not be copied: the name of a secret with a value, or the form of a secret value. */
const secretLike =
  /(pass(word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|connection[_-]?string)\w*["'\]]?\s*[:=]|:\/\/[^\s/:@]+:[^\s/@]+@|-----BEGIN|\b(ghp|gho|glpat|xox[abp]|sk|AKIA|eyJ)[-_A-Za-z0-9]{12,}/i;

const identifier = /[A-Za-z_][A-Za-z0-9_$]*/g;
const migrationPath =
  /(^|\/)(migrations?|migrate|alembic|flyway|liquibase|changelogs?)(\/|$)|(^|\/)V\d+[\d_.]*__[^/]*\.sql$/i;
const definition =
  /\b(create|alter|drop|rename)\s+(or\s+replace\s+)?(temp(orary)?\s+|materialized\s+|unlogged\s+)?(table|view)\b|\b(create|alter|drop|rename)_?table\b/i;
const model =
  /@\s*(Table|Entity)\b|\[\s*Table\s*\(|__tablename__|\btable_?name\b|\bdb_table\b|\btoTable\s*\(|\b(pg|mysql|sqlite)Table\s*\(|\bsequelize\.define\s*\(|@@map\s*\(/i;
/** Matches the SQL before the name of a table. */
const beforeTable =
  /\b(from|join|into|update|table|references|truncate|using)\s+(only\s+)?((["`[]?)\w+\4[\]"`]?\s*\.\s*)*["`[]?$/i;
const quoted = /["'`]$/;

/** Returns the names of tables as the data source spells them, by lower-case name. */
export const knownTables = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

function kindOf(path: string, line: string, at: number, end: number): CodeReferenceKind | undefined {
  const before = line.slice(0, at);
  const isQuoted = quoted.test(before) && line[end] === before.at(-1);
  if (migrationPath.test(path) || definition.test(before))
    return isQuoted || definition.test(line) || beforeTable.test(before) ? 'Migration' : undefined;
  if (model.test(line) && (isQuoted || /=\s*$/.test(before))) return 'Model';
  if (beforeTable.test(before)) return 'RawSql';
  // An unquoted word can mean anything. A quoted word is most likely the table.
  return isQuoted ? 'Other' : undefined;
}

/** Returns the lines of a file that name a table. Each table counts once per line. */
export function findReferences(
  path: string,
  text: string,
  tables: ReadonlyMap<string, string>,
): FoundReference[] {
  const references: FoundReference[] = [];
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
      references.push({ path, line: index + 1, table, kind, snippet });
    }
  }
  return references;
}
