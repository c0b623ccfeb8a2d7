import {
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  Textarea,
} from '@mantine/core';
import type { MigrationJob } from '@svc/contract';
import type { ReactNode } from 'react';
import { useRights } from '../../../access/use-rights.ts';
import { TextAreaField, TextField } from '../../../ui/form/fields.tsx';
import { FoundSelect } from '../../../ui/form/found-select.tsx';
import { modeWords, takesAway } from '../job-words.ts';
import { findMigrationDataSources } from '../requests/migrations.ts';
import { ColumnsField } from './columns-field.tsx';
import type { JobForm, JobValues } from './job-form.ts';
import { NameField } from './name-field.tsx';
import { type Preview, usePreview, writableColumns } from './preview.ts';
import { NewTableField, TableField, type TableName, useTables } from './table-field.tsx';
import { WhatWillHappen } from './what-will-happen.tsx';

type Props = { readonly form: JobForm };

/** All fields of a job, with a preview of the effect below. */
export function JobFields({ form }: Props) {
  const preview = usePreview(form.values);
  return (
    <>
      <TextField form={form} name="name" label="Name" />
      <TextAreaField form={form} name="description" label="Description (optional)" />
      <Part title="From">
        <SourceFields form={form} />
      </Part>
      <Part title="To">
        <DestinationFields form={form} preview={preview} />
      </Part>
      <Part title="Columns">
        <ColumnsField form={form} preview={preview} />
        <PersonalData form={form} />
        <IncrementalFields form={form} preview={preview} />
      </Part>
      <Part title="Guards">
        <GuardFields form={form} />
      </Part>
      <Part title="Schedule">
        <ScheduleFields form={form} />
      </Part>
      <Part title="What will happen">
        <WhatWillHappen values={form.values} preview={preview} />
      </Part>
    </>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="stack-tight" style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
    <legend style={{ padding: 0, marginBottom: 8 }}>
      <strong>{title}</strong>
    </legend>
    {children}
  </fieldset>
);

function SourceFields({ form }: Props) {
  const { source } = form.values;
  const errors = form.errorsWithin('source');
  const set = (change: Partial<JobValues['source']>) => form.set('source', { ...source, ...change });
  return (
    <>
      <FoundSelect
        label="Data source to read"
        find={findMigrationDataSources}
        value={form.values.dataSourceId}
        error={form.errorOf('dataSourceId')}
        onChange={(picked) => form.set('dataSourceId', picked)}
      />
      <SegmentedControl
        aria-label="What is read"
        data={[
          { value: 'Table', label: 'A table' },
          { value: 'Query', label: 'A query' },
        ]}
        value={source.kind}
        onChange={(kind) => set({ kind: kind === 'Query' ? 'Query' : 'Table' })}
      />
      {source.kind === 'Query' ? (
        <Textarea
          label="SQL that is read"
          description="One statement that only reads."
          autosize
          minRows={4}
          maxRows={16}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={source.sql}
          error={errors['sql']}
          onChange={(event) => set({ sql: event.currentTarget.value })}
        />
      ) : (
        <TableField
          label="Table that is read"
          dataSourceId={form.values.dataSourceId?.id}
          value={source}
          errors={errors}
          onChange={set}
        />
      )}
    </>
  );
}

function DestinationFields({ form, preview }: Props & { readonly preview: Preview }) {
  const { destination, mode, createsTable } = form.values;
  const place = {
    dataSourceId: form.values.destinationDataSourceId?.id,
    value: destination,
    errors: form.errorsWithin('destination'),
    onChange: (change: Partial<TableName>) => form.set('destination', { ...destination, ...change }),
  };
  const isOfFiles = (useTables(place.dataSourceId)?.fileNames ?? null) !== null;
  const what = isOfFiles ? 'file' : 'table';
  return (
    <>
      <FoundSelect
        label="Data source to write to"
        description="Those that an Admin has allowed data migration to write to."
        find={findMigrationDataSources}
        admits={({ canWrite }) => canWrite}
        value={form.values.destinationDataSourceId}
        error={form.errorOf('destinationDataSourceId')}
        onChange={(picked) => form.set('destinationDataSourceId', picked)}
      />
      <SegmentedControl
        aria-label="What is written"
        data={[
          { value: 'there', label: `A ${what} that is there` },
          { value: 'new', label: `A new ${what}` },
        ]}
        value={createsTable ? 'new' : 'there'}
        onChange={(value) => form.set('createsTable', value === 'new')}
      />
      {createsTable ? (
        <NewTableField {...place} />
      ) : (
        <TableField label={isOfFiles ? 'File that is written' : 'Table that is written'} {...place} />
      )}
      <Select
        label="Mode"
        allowDeselect={false}
        data={Object.entries(modeWords).map(([value, label]) => ({ value, label }))}
        value={mode}
        error={form.errorOf('mode')}
        onChange={(value) => form.set('mode', (value ?? mode) as MigrationJob['mode'])}
      />
      {mode !== 'Truncate' && <KeyColumns form={form} preview={preview} />}
    </>
  );
}

function KeyColumns({ form, preview: { data } }: Props & { readonly preview: Preview }) {
  const { keyColumns } = form.values;
  const columnNames = writableColumns(data);
  const field = {
    label: 'Key columns',
    description: 'They identify a row. Empty: the primary key of the destination; files have none.',
    value: keyColumns,
    error: form.errorOf('keyColumns'),
    onChange: (columns: string[]) => form.set('keyColumns', columns),
  };
  if (columnNames.length === 0) return <TagsInput {...field} />;
  return <MultiSelect {...field} searchable data={[...new Set([...columnNames, ...keyColumns])]} />;
}

function PersonalData({ form }: Props) {
  const { isAdmin } = useRights();
  const { personalData } = form.values;
  return (
    <Select
      label="Columns with personal data"
      description="Detected by their names. Copying them unmasked needs an Admin."
      allowDeselect={false}
      data={[
        { value: 'Refuse', label: 'Refuse to copy' },
        { value: 'Mask', label: 'Mask' },
        { value: 'Copy', label: 'Copy unmasked', disabled: !isAdmin },
      ]}
      value={personalData}
      error={form.errorOf('personalData')}
      onChange={(value) => form.set('personalData', (value ?? personalData) as MigrationJob['personalData'])}
    />
  );
}

function IncrementalFields({ form, preview }: Props & { readonly preview: Preview }) {
  const { incremental } = form.values;
  const columns = preview.data?.sourceColumns ?? [];
  const errors = form.errorsWithin('incremental');
  return (
    <div className="row wrap" style={{ alignItems: 'flex-start' }}>
      <NameField
        style={{ flex: '2 1 200px' }}
        label="Incremental column (optional)"
        description="Reads only rows newer than the last copy. Use a column that only grows, such as the time of the last change."
        clearable
        names={columns.map(({ name, type }) => ({ value: name, label: `${name} (${type})` }))}
        value={incremental.column}
        error={errors['column']}
        onName={(column) => form.set('incremental', { ...incremental, column })}
      />
      {incremental.column !== '' && (
        <NumberInput
          style={{ flex: '1 1 140px' }}
          label="Look back, in seconds"
          description="For rows that were committed late."
          min={0}
          allowDecimal={false}
          value={incremental.lookbackSeconds}
          error={errors['lookbackSeconds']}
          onChange={(value) => form.set('incremental', { ...incremental, lookbackSeconds: Number(value) })}
        />
      )}
    </div>
  );
}

function GuardFields({ form }: Props) {
  const { onRejectedRow, mode, deletedShareMax } = form.values;
  return (
    <>
      <Select
        label="If the destination rejects a row"
        allowDeselect={false}
        data={[
          { value: 'Fail', label: 'Fail the copy' },
          { value: 'Skip', label: 'Skip and list it' },
        ]}
        value={onRejectedRow}
        error={form.errorOf('onRejectedRow')}
        onChange={(value) => form.set('onRejectedRow', value === 'Skip' ? 'Skip' : 'Fail')}
      />
      {onRejectedRow === 'Skip' && (
        <WholeNumber form={form} name="rejectedRowsMax" label="Maximum skipped rows" />
      )}
      <WholeNumber
        form={form}
        name="minimumSourceRows"
        label="Minimum source rows"
        description="Fewer fail the copy. Truncate and Sync need one at least: an empty source empties nothing."
      />
      {takesAway(mode) && mode === 'Sync' && (
        <NumberInput
          label="Maximum share of rows deleted, in percent"
          min={0}
          max={100}
          value={deletedShareMax * 100}
          error={form.errorOf('deletedShareMax')}
          onChange={(value) => form.set('deletedShareMax', Number(value) / 100)}
        />
      )}
      <WholeNumber form={form} name="timeoutMinutes" label="Timeout, in minutes" />
      <WholeNumber
        form={form}
        name="retriesMax"
        label="Retries after a failure"
        description="For temporary failures, such as a database that is down."
      />
    </>
  );
}

type NumberName = 'rejectedRowsMax' | 'minimumSourceRows' | 'timeoutMinutes' | 'retriesMax';
type NumberProps = Props & {
  readonly name: NumberName;
  readonly label: string;
  readonly description?: string;
};

const WholeNumber = ({ form, name, ...rest }: NumberProps) => (
  <NumberInput
    {...rest}
    min={0}
    allowDecimal={false}
    value={form.values[name]}
    error={form.errorOf(name)}
    onChange={(value) => form.set(name, Number(value))}
  />
);

const ScheduleFields = ({ form }: Props) => (
  <>
    <div className="row wrap" style={{ alignItems: 'flex-start' }}>
      <TextField
        form={form}
        name="cronExpression"
        style={{ flex: '1 1 200px' }}
        label="Cron expression (optional)"
        description="Without one, it runs only by hand."
        placeholder="0 3 * * *"
      />
      <TextField
        form={form}
        name="timeZone"
        style={{ flex: '1 1 200px' }}
        label="Time zone (optional)"
        description="Empty: the installation’s time zone."
        placeholder="Europe/Zagreb"
      />
    </div>
    {form.values.cronExpression !== '' && (
      <Switch
        label="Run on schedule"
        checked={form.values.isEnabled}
        onChange={(event) => form.set('isEnabled', event.currentTarget.checked)}
      />
    )}
  </>
);
