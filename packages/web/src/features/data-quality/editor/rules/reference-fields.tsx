import { Select } from '@mantine/core';
import { tableName } from '../../table-name.ts';
import { ColumnSelect } from './column-fields.tsx';
import { errorAt, type RulePart } from './rule-part.ts';

const offeredMax = 200;
const keyOf = (schema: string, table: string): string => JSON.stringify([schema, table]);

/** Referenced table of a Referential rule, and the referenced column of each column. */
export function ReferenceFields({ rule, tables, errors, change }: RulePart) {
  const { schema = '', table = '', columns = [] } = rule.config;
  const other = tables.find((each) => each.schema === schema && each.name === table);
  const isGone = table !== '' && !other;
  const set = (part: typeof rule.config) => change({ config: { ...rule.config, ...part } });
  const pick = (key: string | null) => {
    const target = tables.find((each) => keyOf(each.schema, each.name) === key);
    if (!target) return;
    // Rows most likely refer to the primary key.
    const likely = rule.columns.map((_, at) => target.primaryKey[at] ?? '');
    set({ schema: target.schema, table: target.name, columns: likely });
  };
  return (
    <>
      <Select
        label="Refers to"
        placeholder="Choose a table"
        searchable
        limit={offeredMax}
        nothingFoundMessage="No matching table."
        data={[
          ...tables.map((each) => ({
            value: keyOf(each.schema, each.name),
            label: tableName({ schemaName: each.schema, tableName: each.name }),
          })),
          ...(isGone
            ? [
                {
                  value: keyOf(schema, table),
                  label: `${tableName({ schemaName: schema, tableName: table })} (not there)`,
                },
              ]
            : []),
        ]}
        value={table === '' ? null : keyOf(schema, table)}
        error={errorAt(errors, 'config/table') ?? errors['config/schema'] ?? errors['config/columns']}
        onChange={pick}
        maw={480}
      />
      {table !== '' &&
        rule.columns.map((column, at) => (
          <div key={column} className="row wrap" style={{ alignItems: 'center' }}>
            <code>{column}</code>
            <span className="soft">exists in</span>
            <ColumnSelect
              aria-label={`Column that ${column} refers to`}
              placeholder="Choose a column"
              columns={other?.columns ?? []}
              value={columns[at] ?? ''}
              error={errors[`config/columns/${at}`]}
              onPick={(name) =>
                set({
                  columns: rule.columns.map((_, index) => (index === at ? name : (columns[index] ?? ''))),
                })
              }
              w={240}
            />
          </div>
        ))}
    </>
  );
}
