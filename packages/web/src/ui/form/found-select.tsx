import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Page } from '@svc/contract';
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** A record that can be picked by its name. */
export type Named = { readonly id: number; readonly name: string };

/** A read of the records whose name holds a text, as `read()` makes it. */
export type FindNamed<Row extends Named = Named> = (
  search: string,
  pageSize: string,
  // biome-ignore lint/suspicious/noExplicitAny: the key's type differs from read to read and is not looked at here
) => UseQueryOptions<Page<Row>, Error, Page<Row>, any>;

/** Records that are asked for at once. */
const foundAtOnce = '50';
const typingMs = 150;

/** The records that a text finds, once the typing rests; those of the text before stand in meanwhile. */
export function useFound<Row extends Named>(
  find: FindNamed<Row>,
  text: string,
  pageSize: string,
): Page<Row> | undefined {
  const [search] = useDebouncedValue(text.trim(), typingMs);
  const { data } = useQuery({ ...find(search, pageSize), placeholderData: keepPreviousData });
  return data;
}

type Props<Row extends Named> = Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange'
> & {
  readonly find: FindNamed<Row>;
  /** Which of the found ones may be picked; default all. */
  readonly admits?: (record: Row) => boolean;
  readonly value: Named | null;
  readonly onChange: (record: Named | null) => void;
};

/** Picks one record by its name; the service searches, so that any number of them is in reach. */
export function FoundSelect<Row extends Named>({ find, admits, value, onChange, ...select }: Props<Row>) {
  const [text, setText] = useState('');
  // The name of what is picked stands in the field: it is no search.
  const found = useFound(find, text === value?.name ? '' : text, foundAtOnce);
  const items: readonly Named[] = (found?.items ?? []).filter((item) => admits?.(item) ?? true);
  const offered = value && !items.some((item) => item.id === value.id) ? [value, ...items] : items;
  return (
    <Select
      {...select}
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage="No matches."
      data={offered.map((item) => ({ value: String(item.id), label: item.name }))}
      value={value === null ? null : String(value.id)}
      onChange={(id) => onChange(offered.find((item) => String(item.id) === id) ?? null)}
    />
  );
}
