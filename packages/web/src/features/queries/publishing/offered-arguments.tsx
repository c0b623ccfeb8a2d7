import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { type Argument, argumentsOf } from './schema-arguments.ts';

const columns: readonly Column<Argument>[] = [
  {
    id: 'name',
    label: 'Argument',
    width: '30%',
    cell: (row) => <span className="mono">{row.name}</span>,
  },
  { id: 'type', label: 'Type', width: '96px', cell: (row) => row.type },
  {
    id: 'needed',
    label: 'Without it',
    width: '144px',
    from: 480,
    cell: (row) =>
      row.isNeeded ? 'Refused' : row.defaultValue === undefined ? 'Left out' : String(row.defaultValue),
  },
  { id: 'what', label: 'What clients see', from: 640, cell: (row) => row.description },
];

/** Arguments of a tool, from its JSON Schema. */
export function OfferedArguments({ schema }: { readonly schema: Readonly<Record<string, unknown>> }) {
  return <Table label="Arguments" columns={columns} rows={argumentsOf(schema)} keyOf={(row) => row.name} />;
}
