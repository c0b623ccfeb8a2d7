import { Select } from '@mantine/core';
import type { DataSourceMetadata } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../../lib/paths.ts';
import { metadata } from '../../../requests/data-sources.ts';
import { findProjects, linkedSources } from '../../../requests/projects.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { FoundSelect } from '../../../ui/form/found-select.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import { tableName } from '../table-name.ts';
import classes from './contract-editor.module.css';
import type { TableName } from './draft.ts';
import type { DraftState } from './use-draft.ts';

/** Number of tables in the list before the user types. Typing filters all tables. */
const offeredMax = 200;

const keyOf = (table: TableName): string => JSON.stringify([table.schemaName, table.tableName]);

/** Returns the tables of the draft's data source, from its last read metadata. */
export const useKnownTables = (dataSourceId: number | undefined) =>
  useQuery({ ...metadata(dataSourceId ?? 0), enabled: dataSourceId !== undefined });

type Props = {
  readonly state: DraftState;
  readonly known: ReturnType<typeof useKnownTables>;
};

/** Subject of the contract: project, data source and table, each with a search by name. */
export function TableChoice({ state: { draft, errors, change }, known: catalog }: Props) {
  const { projectId: project, dataSourceId: source, tableName: table } = draft;
  return (
    <section className={classes['table']} aria-label="Table">
      <FoundSelect
        label="Project"
        placeholder="Choose a project"
        find={findProjects}
        admits={({ right }) => right !== 'Read'}
        value={project}
        error={errors['projectId']}
        onChange={(picked) =>
          picked?.id !== project?.id && change({ projectId: picked, dataSourceId: null, tableName: null })
        }
      />
      {project === null ? (
        <Select
          label="Data source"
          placeholder="Choose the project first"
          data={[]}
          disabled
          error={errors['dataSourceId']}
        />
      ) : (
        <FoundSelect
          key={project.id}
          label="Data source"
          placeholder="Choose a data source"
          find={(search, pageSize) =>
            linkedSources(project.id, { pageSize, ...(search !== '' && { search }) })
          }
          value={source}
          error={errors['dataSourceId']}
          onChange={(picked) =>
            picked?.id !== source?.id && change({ dataSourceId: picked, tableName: null })
          }
        />
      )}
      <TableSelect
        source={source?.id ?? null}
        data={catalog.data}
        value={table}
        error={errors['tableName'] ?? errors['schemaName']}
        onChange={(picked) => change({ tableName: picked })}
      />
      {catalog.isLoadingError && <ProblemNote error={catalog.error} />}
    </section>
  );
}

type TableProps = {
  readonly source: number | null;
  readonly data: DataSourceMetadata | undefined;
  readonly value: TableName | null;
  readonly error: string | undefined;
  readonly onChange: (table: TableName) => void;
};

function TableSelect({ source, data, value, error, onChange }: TableProps) {
  const tables = (data?.tables ?? []).map(({ schema, name }) => ({ schemaName: schema, tableName: name }));
  const isThere = value === null || tables.some((table) => keyOf(table) === keyOf(value));
  const offered = isThere ? tables : [...tables, value];
  return (
    <Select
      label="Table"
      placeholder={source === null ? 'Choose the data source first' : 'Find a table'}
      disabled={source === null}
      searchable
      limit={offeredMax}
      nothingFoundMessage={
        <>
          No matching table. If it is new,{' '}
          {source !== null && <Link to={paths.dataSource(source)}>refresh the tables</Link>}.
        </>
      }
      data={offered.map((table) => ({ value: keyOf(table), label: tableName(table) }))}
      value={value === null ? null : keyOf(value)}
      error={error}
      onChange={(key) => {
        const picked = offered.find((table) => keyOf(table) === key);
        if (picked) onChange(picked);
      }}
    />
  );
}
