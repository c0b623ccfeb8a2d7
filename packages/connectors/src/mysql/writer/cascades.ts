import type { CascadedTable } from '../../writers/port.ts';
import type { WritingSession } from './session.ts';

type KeyRow = { schema: string; table: string; deletes: number | string };

/**
 * Returns the tables whose foreign keys follow deleted rows, transitively. A foreign key that only changes rows is
 * not followed further. The server shows only foreign keys of tables on which the login has a right.
 */
export async function cascadedTables(
  session: Pick<WritingSession, 'rows'>,
  place: readonly string[],
): Promise<CascadedTable[]> {
  const cascaded = new Map<string, CascadedTable>();
  const origin = JSON.stringify(place);
  const waiting = [place];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const { schema, table, deletes } of await session.rows<KeyRow>(cascadesStatement, next)) {
      const key = JSON.stringify([schema, table]);
      const become = Number(deletes) > 0 ? ('deleted' as const) : ('changed' as const);
      const recorded = cascaded.get(key)?.become;
      if (key === origin || recorded === 'deleted' || recorded === become) continue;
      cascaded.set(key, { schema, table, become });
      if (become === 'deleted') waiting.push([schema, table]);
    }
  }
  return [...cascaded.values()];
}

const cascadesStatement = `
  select constraint_schema as \`schema\`, table_name as \`table\`, max(delete_rule = 'CASCADE') as deletes
    from information_schema.referential_constraints
   where unique_constraint_schema = ? and referenced_table_name = ? and delete_rule in ('CASCADE', 'SET NULL', 'SET DEFAULT')
   group by constraint_schema, table_name order by constraint_schema, table_name`;
