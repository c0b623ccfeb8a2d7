import { ActionIcon, Button } from '@mantine/core';
import { Icon } from '../../../ui/text/icons.tsx';
import { MappingTable } from '../validation.tsx';
import type { JobForm, JobValues } from './job-form.ts';
import { NameField } from './name-field.tsx';
import type { Preview } from './preview.ts';

type Props = { readonly form: JobForm; readonly preview: Preview };

/** Mapping of source columns to destination columns. Default: columns with equal names. */
export function ColumnsField({ form, preview }: Props) {
  const { columns } = form.values;
  const proposed = preview.data?.validation?.mapping ?? [];
  if (columns.length > 0) return <ChosenColumns form={form} preview={preview} />;
  return (
    <>
      <p className="soft">Columns are mapped by name.</p>
      {proposed.length > 0 && <MappingTable mapping={proposed} />}
      <div>
        <Button
          size="compact-sm"
          onClick={() =>
            form.set(
              'columns',
              proposed.length === 0 ? [{ from: '', to: '' }] : proposed.map(({ from, to }) => ({ from, to })),
            )
          }
        >
          Map the columns by hand
        </Button>
      </div>
    </>
  );
}

function ChosenColumns({ form, preview: { data } }: Props) {
  const { columns } = form.values;
  const errors = form.errorsWithin('columns');
  const from = (data?.sourceColumns ?? []).map(({ name, type }) => nameOf(name, type));
  const to = (data?.destinationColumns ?? [])
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ name, type }) => nameOf(name, type));
  const change = (index: number, part: Partial<JobValues['columns'][number]>) =>
    form.set(
      'columns',
      columns.map((column, at) => (at === index ? { ...column, ...part } : column)),
    );
  return (
    <>
      {columns.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity while it is filled in
        <div key={index} className="row" style={{ alignItems: 'flex-start' }}>
          <NameField
            style={{ flex: 1, minWidth: 0 }}
            aria-label={`Column ${index + 1} of the source`}
            placeholder="From"
            names={from}
            value={column.from}
            error={errors[`${index}/from`]}
            onName={(name) => change(index, { from: name })}
          />
          <NameField
            style={{ flex: 1, minWidth: 0 }}
            aria-label={`Column ${index + 1} of the destination`}
            placeholder="To"
            names={to}
            value={column.to}
            error={errors[`${index}/to`]}
            onName={(name) => change(index, { to: name })}
          />
          <ActionIcon
            aria-label={`Remove column ${index + 1}`}
            onClick={() =>
              form.set(
                'columns',
                columns.filter((_, at) => at !== index),
              )
            }
          >
            <Icon name="trash" />
          </ActionIcon>
        </div>
      ))}
      <div className="row wrap">
        <Button size="compact-sm" onClick={() => form.set('columns', [...columns, { from: '', to: '' }])}>
          Map a column
        </Button>
        <Button size="compact-sm" onClick={() => form.set('columns', [])}>
          Map by name again
        </Button>
      </div>
    </>
  );
}

const nameOf = (name: string, type: string) => ({ value: name, label: `${name} (${type})` });
