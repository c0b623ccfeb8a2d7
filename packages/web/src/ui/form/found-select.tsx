import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Page } from '@svc/contract';
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

/** Record that the user selects by its name. */
export type Named = { readonly id: number; readonly name: string };

/** Query of the records whose name contains the text, as `read()` returns it. */
export type FindNamed<Row extends Named = Named> = (
  search: string,
  pageSize: string,
  // biome-ignore lint/suspicious/noExplicitAny: the key's type differs from read to read and is not looked at here
) => UseQueryOptions<Page<Row>, Error, Page<Row>, any>;

/** Number of records in one request. */
const optionsPerPage = '50';
const typingMs = 150;

/** Returns the records that match a text, after the user stops typing. The previous records remain until then. */
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
  /** Returns true for records that the user may select. Default: all. */
  readonly admits?: (record: Row) => boolean;
  readonly value: Named | null;
  readonly onChange: (record: Named | null) => void;
};

/** Selects one record by its name. The service searches, so the number of records has no limit. */
export function FoundSelect<Row extends Named>({ find, admits, value, onChange, ...select }: Props<Row>) {
  const [text, setText] = useState('');
  // The name of the selected record is not a search text.
  const page = useFound(find, text === value?.name ? '' : text, optionsPerPage);
  const items: readonly Named[] = (page?.items ?? []).filter((item) => admits?.(item) ?? true);
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
