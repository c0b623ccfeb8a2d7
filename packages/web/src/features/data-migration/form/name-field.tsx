import { Select, type SelectProps, TextInput } from '@mantine/core';

type Props = Pick<
  SelectProps,
  'style' | 'label' | 'aria-label' | 'description' | 'placeholder' | 'error' | 'clearable'
> & {
  /** Existing names. If empty, the names are unknown and the user types one. */
  readonly names: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onName: (name: string) => void;
};

/** Number of names in the list before the user types. Typing filters all names. */
const offeredMax = 200;

/** Selects an existing name. Shows a text field if the existing names are unknown. */
export function NameField({ names, value, onName, clearable = false, ...field }: Props) {
  if (names.length === 0) {
    return (
      <TextInput {...field} value={value} onChange={(event) => onName(event.currentTarget.value.trim())} />
    );
  }
  const isThere = value === '' || names.some((name) => name.value === value);
  return (
    <Select
      {...field}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
      limit={offeredMax}
      nothingFoundMessage="No matches."
      data={isThere ? [...names] : [...names, { value, label: `${value} (not there)` }]}
      value={value === '' ? null : value}
      onChange={(name) => onName(name ?? '')}
    />
  );
}
