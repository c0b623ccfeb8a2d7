import { MultiSelect, Select } from '@mantine/core';
import {
  CreateRelationshipBody,
  createRelationship,
  type DataSourceMetadata,
  type RelationshipEnd,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type Form, useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { metadata } from '../../requests/data-sources.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { tableName } from './end-text.tsx';

type Values = { source: RelationshipEnd; target: RelationshipEnd; label: string };

const noEnd: RelationshipEnd = { schema: '', table: '', columns: [] };
const listedMax = 50;

/** Adds a relationship that the database does not declare. */
export function NewRelationshipDialog({
  dataSourceId,
  onClose,
}: {
  readonly dataSourceId: number;
  readonly onClose: () => void;
}) {
  const schema = useQuery(metadata(dataSourceId));
  const create = useChange(createRelationship);
  const form = useForm<typeof CreateRelationshipBody, Values>({
    schema: CreateRelationshipBody,
    initial: { source: noEnd, target: noEnd, label: '' },
    toBody: ({ source, target, label }) => ({ source, target, ...(label.trim() !== '' && { label }) }),
    send: async (body) => {
      await create.mutateAsync({ params: { id: dataSourceId }, body });
      toastDone('The relationship was added.');
      onClose();
    },
  });
  return (
    <FormDialog title="New relationship" form={form} act="Add relationship" onClose={onClose} size={560}>
      <ProblemNote error={schema.error} />
      <End form={form} name="source" label="From" tables={schema.data?.tables ?? []} />
      <End form={form} name="target" label="To" tables={schema.data?.tables ?? []} />
      <TextField
        form={form}
        name="label"
        label="Label"
        description="What the reference is called. Left empty, the columns name it."
      />
    </FormDialog>
  );
}

function End({
  form,
  name,
  label,
  tables,
}: {
  readonly form: Form<Values>;
  readonly name: 'source' | 'target';
  readonly label: string;
  readonly tables: DataSourceMetadata['tables'];
}) {
  const end = form.values[name];
  const nameOf = (table: (typeof tables)[number]) => tableName({ schema: table.schema, table: table.name });
  const selected = tables.find((table) => table.schema === end.schema && table.name === end.table);
  const errors = form.errorsWithin(name);
  const columnError = Object.entries(errors).find(([place]) => place.startsWith('columns'))?.[1];
  return (
    <fieldset className="stack-tight" style={{ border: 0, padding: 0, margin: 0 }}>
      <legend className="visually-hidden">{label}</legend>
      <Select
        label={`${label}: table`}
        placeholder="Search tables"
        searchable
        limit={listedMax}
        data={tables.map((table) => ({ value: nameOf(table), label: nameOf(table) }))}
        value={selected ? nameOf(selected) : null}
        error={errors['table']}
        onChange={(value) => {
          const table = tables.find((one) => nameOf(one) === value);
          form.set(
            name,
            table
              ? { schema: table.schema, table: table.name, columns: table.primaryKey.slice(0, 1) }
              : noEnd,
          );
        }}
      />
      <MultiSelect
        label={`${label}: columns`}
        searchable
        limit={listedMax}
        disabled={!selected}
        data={[...new Set(selected?.columns.map((column) => column.name))]}
        value={[...end.columns]}
        error={columnError}
        onChange={(columns) => form.set(name, { ...end, columns })}
      />
    </fieldset>
  );
}
