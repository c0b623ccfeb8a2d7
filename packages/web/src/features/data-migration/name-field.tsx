import { Select, type SelectProps, TextInput } from '@mantine/core';

type Props = Pick<
  SelectProps,
  'style' | 'label' | 'aria-label' | 'description' | 'placeholder' | 'error' | 'clearable'
> & {
  /** What there is; none: it is not known, and the name is typed. */
  readonly names: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onName: (name: string) => void;
};

/** Names that are offered at once; typing finds the others. */
const offeredMax = 200;

/** Picks a name of what is there. Where that is not known, it is typed. */
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
