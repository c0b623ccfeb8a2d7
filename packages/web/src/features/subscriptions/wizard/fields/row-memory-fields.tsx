import { Button, Checkbox, Select, TagsInput } from '@mantine/core';
import { keyColumnsMax, type Query, type RowChange, type RowMemory, rowChanges } from '@svc/contract';
import { ProblemNote } from '../../../../ui/feedback/problem.tsx';
import { keyColumnsError, type StepProps } from '../choices.ts';
import { useQueryColumns } from './use-query-columns.ts';

const changeWords: { readonly [change in RowChange]: string } = {
  New: 'New rows',
  Changed: 'Changed rows',
  Vanished: 'Rows that are gone, as a number',
};

type Props = StepProps & { readonly query: Query | undefined };

/**
 * Fields for key columns and reported row changes. The columns come from a test run of the query, which notifies no
 * recipient.
 */
export function RowMemoryFields({ choices, change, query }: Props) {
  const { rowMemory } = choices;
  const { columns, isReading, error, read } = useQueryColumns(query, choices);
  const set = (part: Partial<RowMemory>) => change({ rowMemory: { ...rowMemory, ...part } });
  return (
    <fieldset className="stack-tight" style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="visually-hidden">Rows</legend>
      <div className="row wrap" style={{ gap: 16, alignItems: 'flex-end' }}>
        <TagsInput
          label="A row is the same while these columns are"
          placeholder={rowMemory.keyColumns.length === 0 ? 'id' : ''}
          data={columns}
          maxTags={keyColumnsMax}
          value={rowMemory.keyColumns}
          error={keyColumnsError(rowMemory)}
          onChange={(keyColumns) => set({ keyColumns })}
          style={{ flex: '1 1 280px' }}
        />
        <Button disabled={!query} loading={isReading} onClick={read}>
          Get the columns
        </Button>
      </div>
      <span role="status" className="soft">
        {columns.length > 0 && `The query has: ${columns.join(', ')}. Nothing was sent.`}
      </span>
      {error !== undefined && <ProblemNote error={error} />}
      <ReportedChanges changes={rowMemory.changes} onChange={(changes) => set({ changes })} />
      {rowMemory.changes.includes('Changed') && (
        <TagsInput
          label="A row has changed when one of these has (optional)"
          placeholder={rowMemory.watchedColumns === null ? 'Every column' : ''}
          data={columns}
          value={rowMemory.watchedColumns ?? []}
          onChange={(columns) => set({ watchedColumns: columns.length === 0 ? null : columns })}
        />
      )}
      {rowMemory.changes.includes('Vanished') && (
        <Checkbox
          label="Name the rows that are gone"
          description="Keeps the columns that rows are recognised by, masked and encrypted, of up to 100,000 rows."
          checked={rowMemory.keepsKeys}
          onChange={(event) => set({ keepsKeys: event.currentTarget.checked })}
        />
      )}
      <Select
        label="Send as"
        allowDeselect={false}
        data={[
          { value: 'Digest', label: 'One message per run' },
          { value: 'PerRow', label: 'One message per row, up to 20' },
        ]}
        value={rowMemory.delivery}
        onChange={(delivery) => set({ delivery: delivery === 'PerRow' ? 'PerRow' : 'Digest' })}
        w={240}
      />
      <p className="soft">
        The first run stores the rows and sends nothing. Test now compares with the stored rows and does not
        change them: the next scheduled run still reports the new rows.
      </p>
    </fieldset>
  );
}

type ChangesProps = {
  readonly changes: readonly RowChange[];
  readonly onChange: (changes: RowChange[]) => void;
};

/** Choice of the row changes that a message reports. */
const ReportedChanges = ({ changes, onChange }: ChangesProps) => (
  <Checkbox.Group
    label="Report"
    value={[...changes]}
    error={changes.length === 0 ? 'Choose at least one.' : undefined}
    onChange={(selected) => onChange(rowChanges.filter((one) => selected.includes(one)))}
  >
    <div className="row wrap" style={{ gap: 16, marginTop: 4 }}>
      {rowChanges.map((one) => (
        <Checkbox key={one} value={one} label={changeWords[one]} />
      ))}
    </div>
  </Checkbox.Group>
);
