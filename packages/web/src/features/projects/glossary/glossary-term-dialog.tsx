import { Select, TagsInput } from '@mantine/core';
import {
  createGlossaryTerm,
  GlossaryInput,
  type GlossaryTarget,
  type GlossaryTerm,
  replaceGlossaryTerm,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type Form, useForm } from '../../../lib/form.ts';
import { ifUnchanged, useChange } from '../../../lib/server-state.ts';
import { metadata } from '../../../requests/data-sources.ts';
import { linkedSources } from '../../../requests/projects.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { TextAreaField, TextField } from '../../../ui/form/fields.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';

type Values = {
  term: string;
  synonyms: string[];
  definition: string;
  dataSourceId: number | null;
  target: GlossaryTarget | null;
  metricExpression: string;
};

type Props = {
  readonly projectId: number;
  /** Null: a new term. */
  readonly record: GlossaryTerm | null;
  readonly onClose: () => void;
};

const listedMax = 50;
const sourcesMax = '200';

/** Term of the glossary: meaning, synonyms, and the tables or columns that contain it. */
export function GlossaryTermDialog({ projectId, record, onClose }: Props) {
  const create = useChange(createGlossaryTerm);
  const replace = useChange(replaceGlossaryTerm, { headers: () => ifUnchanged(form.version) });
  const form = useForm<typeof GlossaryInput, Values>({
    schema: GlossaryInput,
    version: record?.version,
    initial: {
      term: record?.term ?? '',
      synonyms: record?.synonyms ?? [],
      definition: record?.definition ?? '',
      dataSourceId: record?.dataSourceId ?? null,
      target: record?.target ?? null,
      metricExpression: record?.metricExpression ?? '',
    },
    toBody: ({ metricExpression, ...values }) => ({
      ...values,
      metricExpression: values.target === null || metricExpression.trim() === '' ? null : metricExpression,
      isActive: record?.isActive ?? true,
    }),
    send: async (body) => {
      if (record) await replace.mutateAsync({ params: { id: record.id }, body });
      else await create.mutateAsync({ body: { projectId, ...body } });
      toastDone(record ? `“${body.term}” was saved.` : `“${body.term}” was added.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={record ? `Edit “${record.term}”` : 'New term'}
      form={form}
      act={record ? 'Save' : 'Add term'}
      onClose={onClose}
      size={560}
    >
      <TextField form={form} name="term" label="Term" data-autofocus />
      <TagsInput
        label="Synonyms (optional)"
        description="Other words for the same thing. Enter ends each."
        value={form.values.synonyms}
        error={form.errorOf('synonyms')}
        onChange={(synonyms) => form.set('synonyms', synonyms)}
      />
      <TextAreaField form={form} name="definition" label="Definition" />
      <TargetFields form={form} projectId={projectId} />
    </FormDialog>
  );
}

const nameOf = ({ schema, table }: Pick<GlossaryTarget, 'schema' | 'table'>): string =>
  schema === '' ? table : `${schema}.${table}`;

function TargetFields({ form, projectId }: { readonly form: Form<Values>; readonly projectId: number }) {
  const { dataSourceId, target } = form.values;
  const sources = useQuery(linkedSources(projectId, { pageSize: sourcesMax }));
  const schema = useQuery({ ...metadata(dataSourceId ?? 0), enabled: dataSourceId !== null });
  const tables = (dataSourceId !== null && schema.data?.tables) || [];
  const tableOf = (name: string | null) =>
    tables.find((table) => name === nameOf({ schema: table.schema, table: table.name }));
  const selected = target === null ? undefined : tableOf(nameOf(target));
  const errors = form.errorsWithin('target');
  return (
    <>
      <Select
        label="Data source (optional)"
        description="Only there the term means this. Empty: in the whole project."
        clearable
        searchable
        data={sources.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        value={dataSourceId === null ? null : String(dataSourceId)}
        error={form.errorOf('dataSourceId')}
        onChange={(id) => {
          form.set('dataSourceId', id === null ? null : Number(id));
          form.set('target', null);
        }}
      />
      {dataSourceId !== null && (
        <>
          <ProblemNote error={schema.error} />
          <Select
            label="Table (optional)"
            placeholder="Search tables"
            nothingFoundMessage={schema.isPending ? 'Reading tables …' : 'No matching table.'}
            clearable
            searchable
            limit={listedMax}
            data={tables.map((table) => nameOf({ schema: table.schema, table: table.name }))}
            value={target === null ? null : nameOf(target)}
            error={errors['table'] ?? form.errorOf('target')}
            onChange={(name) => {
              const table = tableOf(name);
              form.set('target', table ? { schema: table.schema, table: table.name, column: null } : null);
            }}
          />
          <Select
            label="Column (optional)"
            clearable
            searchable
            limit={listedMax}
            disabled={target === null}
            data={[...new Set(selected?.columns.map((column) => column.name))]}
            value={target?.column ?? null}
            error={errors['column']}
            onChange={(column) => target && form.set('target', { ...target, column })}
          />
          {target !== null && (
            <TextAreaField
              form={form}
              name="metricExpression"
              label="Metric (optional)"
              description="SQL of one value over the rows of this table. The data source is asked whether it can be computed."
              placeholder="sum(amount) filter (where status = 'paid')"
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--font-mono)' } }}
            />
          )}
        </>
      )}
    </>
  );
}
