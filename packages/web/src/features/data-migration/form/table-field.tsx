import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { migrationTables } from '../requests/migrations.ts';
import { NameField } from './name-field.tsx';

export type TableName = { readonly schema: string; readonly table: string };

type Props = {
  readonly dataSourceId: number | undefined;
  readonly value: TableName;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<TableName>) => void;
};

const offeredMax = 200;

export const useTables = (dataSourceId: number | undefined) =>
  useQuery({ ...migrationTables(dataSourceId ?? 0), enabled: dataSourceId !== undefined }).data;

/** Selects an existing table. The user types the name of a table that is newer than the last read of the source. */
export function TableField({ label, dataSourceId, ...field }: Props & { readonly label: string }) {
  const catalog = useTables(dataSourceId);
  const [isTyped, setTyped] = useState(false);
  const { value, errors, onChange } = field;
  if (dataSourceId === undefined) {
    return <Select label={label} disabled placeholder="Choose the data source first" data={[]} />;
  }
  if (isTyped || catalog?.tables.length === 0) return <TypedTable label={label} {...field} />;
  const keyOf = ({ schema, table }: TableName) => JSON.stringify([schema, table]);
  const tables = (catalog?.tables ?? []).map(({ schema, name }) => ({ schema, table: name }));
  const isNamed = value.table !== '';
  const isThere = tables.some((table) => keyOf(table) === keyOf(value));
  const offered = isNamed && !isThere ? [...tables, value] : tables;
  return (
    <div className="stack-tight">
      <Select
        label={label}
        searchable
        limit={offeredMax}
        nothingFoundMessage="No matching table."
        data={offered.map((table) => ({ value: keyOf(table), label: `${table.schema}.${table.table}` }))}
        value={isNamed ? keyOf(value) : null}
        error={errors['table'] ?? errors['schema']}
        onChange={(key) => onChange(offered.find((table) => keyOf(table) === key) ?? {})}
      />
      <div>
        <Button size="compact-sm" onClick={() => setTyped(true)}>
          It is not listed
        </Button>
      </div>
    </div>
  );
}

const TypedTable = ({ label, value, errors, onChange }: Omit<Props, 'dataSourceId'> & { label: string }) => (
  <div className="row wrap" style={{ alignItems: 'flex-start' }}>
    <TextInput
      style={{ flex: '1 1 140px' }}
      label="Its schema"
      value={value.schema}
      error={errors['schema']}
      onChange={(event) => onChange({ schema: event.currentTarget.value })}
    />
    <TextInput
      style={{ flex: '2 1 200px' }}
      label={label}
      value={value.table}
      error={errors['table']}
      onChange={(event) => onChange({ table: event.currentTarget.value })}
    />
  </div>
);

/** Schema of all tables in file-based engines. */
const fileSchema = 'main';

/** Name of a table that the copy creates: in an existing schema, or a file with the name from the settings. */
export function NewTableField({ dataSourceId, value, errors, onChange }: Props) {
  const catalog = useTables(dataSourceId);
  const schemas = catalog?.schemas ?? [];
  if (catalog?.fileNames) {
    const tableNames = new Set(catalog.tables.map(({ name }) => name));
    const open = catalog.fileNames.filter((name) => !tableNames.has(name));
    if (open.length === 0) {
      return (
        <p className="soft">
          Every file that the data source lists is there. List a new one in its settings first.
        </p>
      );
    }
    return (
      <NameField
        label="Name of the new file"
        description="As the settings of the data source name it. Created by the first copy; later copies write into it."
        names={open.map((name) => ({ value: name, label: name }))}
        value={value.table}
        error={errors['table'] ?? errors['schema']}
        onName={(table) => onChange({ schema: fileSchema, table })}
      />
    );
  }
  return (
    <div className="row wrap" style={{ alignItems: 'flex-start' }}>
      <NameField
        style={{ flex: '1 1 140px' }}
        label="Its schema"
        names={schemas.map((schema) => ({ value: schema, label: schema }))}
        value={value.schema}
        error={errors['schema']}
        onName={(schema) => onChange({ schema })}
      />
      <TextInput
        style={{ flex: '2 1 200px' }}
        label="Name of the new table"
        description="Created by the first copy; later copies write into it."
        value={value.table}
        error={errors['table']}
        onChange={(event) => onChange({ table: event.currentTarget.value })}
      />
    </div>
  );
}
