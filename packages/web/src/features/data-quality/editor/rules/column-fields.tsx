import { MultiSelect, Select, type SelectProps } from '@mantine/core';
import type { RuleConfig } from '@svc/contract';
import type { RuleDraft } from '../draft.ts';
import { columnsMax } from '../draft-faults.ts';
import { errorAt, type KnownColumn, type RulePart } from './rule-part.ts';

/** Number of columns in the list before the user types. Typing filters all columns. */
const offeredMax = 200;

/** Returns the names to choose from. A selected name that no longer exists remains in the list, with a mark. */
const namesOf = (columns: readonly KnownColumn[], selected: readonly string[]) => [
  ...columns.map(({ name }) => ({ value: name, label: name })),
  ...selected
    .filter((name) => name !== '' && !columns.some((column) => column.name === name))
    .map((name) => ({ value: name, label: `${name} (not there)` })),
];

/** Renders a column name with its type. */
const withType =
  (columns: readonly KnownColumn[]): NonNullable<SelectProps['renderOption']> =>
  ({ option }) => (
    <>
      <span className="grow truncate">{option.label}</span>
      <span className="soft truncate">
        {columns.find(({ name }) => name === option.value)?.databaseType ?? ''}
      </span>
    </>
  );

type OneProps = Pick<SelectProps, 'label' | 'aria-label' | 'style' | 'error' | 'w' | 'placeholder'> & {
  readonly columns: readonly KnownColumn[];
  readonly value: string;
  readonly onPick: (name: string) => void;
};

/** Selects one column of a table. */
export const ColumnSelect = ({ columns, value, onPick, ...field }: OneProps) => (
  <Select
    {...field}
    searchable
    limit={offeredMax}
    nothingFoundMessage="No matching column."
    data={namesOf(columns, [value])}
    renderOption={withType(columns)}
    value={value === '' ? null : value}
    onChange={(name) => onPick(name ?? '')}
  />
);

/**
 * Returns the configuration for changed columns. A Referential rule retains the referenced column of each remaining
 * column.
 */
function configFor({ type, columns, config }: RuleDraft, names: readonly string[]): RuleConfig {
  if (type !== 'Referential') return config;
  return { ...config, columns: names.map((name) => config.columns?.[columns.indexOf(name)] ?? '') };
}

/** Columns of a rule: one or several, depending on its type. */
export function ColumnFields({ rule, columns, errors, change }: RulePart) {
  const most = columnsMax(rule.type);
  if (most === 1)
    return (
      <ColumnSelect
        label="Column"
        placeholder="Choose a column"
        columns={columns}
        value={rule.columns[0] ?? ''}
        error={errorAt(errors, 'columns')}
        onPick={(name) => change({ columns: name === '' ? [] : [name] })}
        w={280}
      />
    );
  return (
    <MultiSelect
      label="Columns"
      placeholder={rule.columns.length === 0 ? 'Choose columns' : ''}
      searchable
      limit={offeredMax}
      maxValues={most}
      nothingFoundMessage="No matching column."
      data={namesOf(columns, rule.columns)}
      renderOption={withType(columns)}
      value={[...rule.columns]}
      error={errorAt(errors, 'columns')}
      onChange={(names) => change({ columns: names, config: configFor(rule, names) })}
      maw={480}
    />
  );
}
