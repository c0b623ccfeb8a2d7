import type { TableName } from '../../writers/port.ts';
import type { WritingSession } from './session.ts';

type Grant = { readonly privileges: ReadonlySet<string>; readonly schema: string; readonly table: string };

/** Returns the grants that the server lists; null if roles may add others. */
export async function readGrants(session: Pick<WritingSession, 'rows'>): Promise<readonly Grant[] | null> {
  const rows = await session.rows<Record<string, string>>('show grants');
  const lines = rows.flatMap((row) => Object.values(row));
  if (lines.some((line) => !/\sON\s/i.test(line))) return null;
  return lines.flatMap((line) => {
    const [, what = '', schema = '', table = ''] = grantPattern.exec(line) ?? [];
    if (what === '') return [];
    const privileges = new Set(what.split(',').map((privilege) => privilege.trim().toUpperCase()));
    return [{ privileges, schema: unquoted(schema), table: unquoted(table) }];
  });
}

const grantPattern = /^GRANT (.+?) ON (?:TABLE )?(\*|`(?:[^`]|``)+`)\.(\*|`(?:[^`]|``)+`) TO /i;
const unquoted = (name: string): string => name.replace(/^`|`$/g, '').replaceAll('``', '`');

/** Returns the privileges that the login has neither on the table, nor on its schema, nor globally. */
export function missingOn(
  grants: readonly Grant[] | null,
  place: TableName,
  privileges: readonly string[],
): string[] {
  if (!grants) return [];
  const held = grants.filter(
    ({ schema, table }) =>
      (schema === '*' || likePattern(schema).test(place.schema)) &&
      (table === '*' || table.toLowerCase() === place.table.toLowerCase()),
  );
  return privileges.filter((privilege) =>
    held.every(({ privileges }) => !privileges.has('ALL PRIVILEGES') && !privileges.has(privilege)),
  );
}

/** Converts the schema of a grant, which is a pattern: `%` and `_` are wildcards unless a backslash precedes them. */
function likePattern(schema: string): RegExp {
  const source = schema.replaceAll(
    /\\([%_])|[%_]|[.*+?^${}()|[\]\\]/g,
    (match, escaped: string | undefined) => {
      if (escaped !== undefined) return escaped;
      return match === '%' ? '.*' : match === '_' ? '.' : `\\${match}`;
    },
  );
  return new RegExp(`^${source}$`, 'i');
}
