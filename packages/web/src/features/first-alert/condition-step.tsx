import { NumberInput, Radio, Select, Textarea } from '@mantine/core';
import { Step } from '../../ui/frame/flow-steps.tsx';
import type { useCondition } from './answers.ts';
import { type Condition, numberColumns, selectFrom, tableKey, takesNoSql } from './choices.ts';

type Props = { readonly engine: string; readonly when: ReturnType<typeof useCondition> };

/** Step for the table and the condition that sends an alert. */
export function ConditionStep({ engine, when }: Props) {
  const { tables, table, setTable, condition: value, change: onChange } = when;
  const columns = takesNoSql(engine) ? [] : numberColumns(table);
  const pick = (kind: string) =>
    onChange({
      kind: kind as Condition['kind'],
      ...(kind === 'number' && value.column === null && { column: columns[0] ?? null }),
      ...(kind === 'sql' && value.sql === '' && table && { sql: selectFrom(engine, table) }),
    });
  return (
    <Step title="When should it alert?">
      {tables.length > 1 && (
        <Select
          label="Table"
          searchable
          data={tables.map((each) => ({ value: tableKey(each), label: tableKey(each) }))}
          value={table ? tableKey(table) : null}
          onChange={(key) => key !== null && setTable(key)}
        />
      )}
      {tables.length === 0 && (
        <p className="soft">Tables are not read for this data source. Write the statement yourself.</p>
      )}
      <Radio.Group aria-label="Condition" value={value.kind} onChange={pick}>
        <div className="stack-tight" style={{ gap: 12 }}>
          {table && <Radio value="rows" label={`When there are rows in ${table.name}`} />}
          {columns.length > 0 && <Radio value="number" label="When a number passes a line" />}
          <Radio
            value="sql"
            label={takesNoSql(engine) ? 'When my own request finds rows' : 'When my own SQL finds rows'}
          />
        </div>
      </Radio.Group>
      {value.kind === 'number' && <NumberFields columns={columns} value={value} onChange={onChange} />}
      {value.kind === 'sql' && (
        <Textarea
          label={takesNoSql(engine) ? 'Request in JSON' : 'SQL'}
          description="One statement that reads. Each row that it finds is in the alert."
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--font-mono)' } }}
          value={value.sql}
          onChange={(event) => onChange({ sql: event.currentTarget.value })}
        />
      )}
    </Step>
  );
}

type NumberProps = {
  /** Columns that contain numbers. */
  readonly columns: readonly string[];
  readonly value: Condition;
  readonly onChange: (part: Partial<Condition>) => void;
};

/** Column, side and line of the condition on a number. */
function NumberFields({ columns, value, onChange }: NumberProps) {
  return (
    <div className="row wrap" style={{ gap: 12, alignItems: 'flex-end' }}>
      <Select
        label="Number"
        data={[...columns]}
        value={value.column}
        onChange={(column) => onChange({ column })}
        allowDeselect={false}
        w={200}
      />
      <Select
        label="Is"
        data={['above', 'below']}
        value={value.side}
        onChange={(side) => onChange({ side: side === 'below' ? 'below' : 'above' })}
        allowDeselect={false}
        w={112}
      />
      <NumberInput
        label="Line"
        hideControls
        value={value.line}
        onChange={(line) => onChange({ line })}
        w={120}
      />
    </div>
  );
}
