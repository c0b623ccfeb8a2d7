import { ActionIcon, Checkbox, Popover } from '@mantine/core';
import { Hint } from '../text/hint.tsx';
import { Icon } from '../text/icons.tsx';
import type { Column } from './columns.ts';

type Props<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly hidden: readonly string[];
  readonly onChange: (hidden: readonly string[]) => void;
};

/** Choice of visible columns, stored in this browser. The first column is always visible. */
export function ColumnChoice<Row>({ columns, hidden, onChange }: Props<Row>) {
  const choosable = columns.slice(1);
  if (choosable.length < 2) return null;
  const toggle = (id: string) =>
    onChange(hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id]);
  return (
    <Popover position="bottom-end" trapFocus>
      <Hint label="Columns">
        <Popover.Target>
          <ActionIcon aria-label="Choose columns">
            <Icon name="columns" />
          </ActionIcon>
        </Popover.Target>
      </Hint>
      <Popover.Dropdown aria-label="Columns">
        <fieldset style={{ border: 0, margin: 0, padding: 0 }} className="stack-tight">
          <legend className="visually-hidden">Columns</legend>
          {choosable.map((column) => (
            <Checkbox
              key={column.id}
              label={column.label}
              checked={!hidden.includes(column.id)}
              onChange={() => toggle(column.id)}
            />
          ))}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
