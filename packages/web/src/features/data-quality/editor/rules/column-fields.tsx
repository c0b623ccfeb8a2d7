import { MultiSelect, Select, type SelectProps } from '@mantine/core';
import type { RuleConfig } from '@svc/contract';
import type { RuleDraft } from '../draft.ts';
import { columnsMax } from '../draft-faults.ts';
import { errorAt, type KnownColumn, type RulePart } from './rule-part.ts';

/** Columns that are offered at once; typing finds the others. */
const offeredMax = 200;

/** Names to pick from; one that is chosen and not there any more is still offered, and marked. */
const namesOf = (columns: readonly KnownColumn[], chosen: readonly string[]) => [
  ...columns.map(({ name }) => ({ value: name, label: name })),
  ...chosen
    .filter((name) => name !== '' && !columns.some((column) => column.name === name))
    .map((name) => ({ value: name, label: `${name} (not there)` })),
];

/** A name with its type. */
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

/** One column of a table. */
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

/** What columns refer to goes with them when others come and go. */
function configFor({ type, columns, config }: RuleDraft, names: readonly string[]): RuleConfig {
  if (type !== 'Referential') return config;
  return { ...config, columns: names.map((name) => config.columns?.[columns.indexOf(name)] ?? '') };
}

/** The columns that a rule is about: one, or several. */
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
