import { Combobox, Menu, useCombobox } from '@mantine/core';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { type FindNamed, type Named, useFound } from '../form/found-select.tsx';
import { Icon } from '../text/icons.tsx';
import classes from './filter-chips.module.css';

type Shared = {
  /** Name of the parameter, in the address and in the request. */
  readonly name: string;
  readonly label: string;
  /** Names of dependent filters. A change of this filter's record removes them. */
  readonly within?: readonly string[];
};

/** Filter with a closed list of values. */
type ListedFilter = Shared & {
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

/** Filter by a record. The service searches by name, because the number of records is unbounded. */
type FoundFilter = Shared & {
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind have an id and a name, and nothing else is looked at
  readonly find: FindNamed<any>;
  /** Returns the query of the record in the address. */
  // biome-ignore lint/suspicious/noExplicitAny: the key's type differs from read to read and is not looked at here
  readonly one: (id: number) => UseQueryOptions<any, Error, Named, any>;
};

/** Filter by a day, in the address as `2026-11-25`. */
type DayFilter = Shared & { readonly isDay: true };

export type Filter = ListedFilter | FoundFilter | DayFilter;

type Props = {
  readonly filters: readonly Filter[];
  readonly state: Readonly<Record<string, string | undefined>>;
  /** Receives changed filters with their new values. Undefined removes a filter. */
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
};

/** Filters as chips. Each shows its name and value, and can be removed. */
export function FilterChips({ filters, state, onChange }: Props) {
  return filters.map((filter) => {
    const shared = {
      value: state[filter.name],
      onChange: (value: string | undefined) => onChange(changesOf(filter, state[filter.name], value)),
    };
    if ('isDay' in filter) return <DayChip key={filter.name} filter={filter} {...shared} />;
    return 'options' in filter ? (
      <ListedChip key={filter.name} filter={filter} {...shared} />
    ) : (
      <FoundChip key={filter.name} filter={filter} {...shared} />
    );
  });
}

/**
 * Returns the changes for a new filter value. A different record removes the dependent filters; the same record or none
 * does not.
 */
export const changesOf = (
  { name, within = [] }: Pick<Filter, 'name' | 'within'>,
  before: string | undefined,
  value: string | undefined,
): Readonly<Record<string, string | undefined>> => ({
  ...(value !== undefined &&
    value !== before &&
    Object.fromEntries(within.map((other) => [other, undefined]))),
  [name]: value,
});

type ChipProps<F> = {
  readonly filter: F;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

function ListedChip({ filter, value, onChange }: ChipProps<ListedFilter>) {
  const selected = filter.options.find((option) => option.value === value);
  return (
    <span className={classes['chip']} data-on={selected !== undefined}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={classes['label']}>
            {filter.label}
            {selected && <strong>{selected.label}</strong>}
            <Icon name="down" size={12} />
          </button>
        </Menu.Target>
        <Menu.Dropdown className={classes['dropdown'] ?? ''}>
          {filter.options.map((option) => (
            <Menu.Item
              key={option.value}
              onClick={() => onChange(option.value)}
              rightSection={option === selected ? <Icon name="check" /> : undefined}
            >
              {option.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {selected && <Remove label={filter.label} onRemove={() => onChange(undefined)} />}
    </span>
  );
}

/** Returns true for a day in the format of the address. */
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function DayChip({ filter, value, onChange }: ChipProps<DayFilter>) {
  const day = isDay(value) ? value : undefined;
  return (
    <span className={classes['chip']} data-on={day !== undefined}>
      <label className={classes['label']}>
        {filter.label}
        <input
          type="date"
          className={classes['day']}
          value={day ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      </label>
      {day && <Remove label={filter.label} onRemove={() => onChange(undefined)} />}
    </span>
  );
}

const Remove = ({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) => (
  <button
    type="button"
    className={classes['remove']}
    aria-label={`Remove the filter ${label}`}
    onClick={onRemove}
  >
    <Icon name="close" size={12} />
  </button>
);

function FoundChip({ filter, value, onChange }: ChipProps<FoundFilter>) {
  const [text, setText] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setText('');
      // The field disappears when it closes, so the chip receives the focus again.
      combobox.focusTarget();
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const id = Number(value) || 0;
  const record = useQuery({ ...filter.one(id), enabled: id > 0 });
  const noun = filter.label.toLowerCase();
  return (
    <span className={classes['chip']} data-on={id > 0}>
      <Combobox
        store={combobox}
        position="bottom-start"
        withinPortal={false}
        width={280}
        onOptionSubmit={(next) => {
          onChange(next);
          combobox.closeDropdown();
        }}
      >
        <Combobox.Target targetType="button">
          <button type="button" className={classes['label']} onClick={() => combobox.toggleDropdown()}>
            {filter.label}
            {id > 0 && <strong>{record.data?.name ?? '…'}</strong>}
            <Icon name="down" size={12} />
          </button>
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Search
            aria-label={`Find a ${noun}`}
            placeholder={`Find a ${noun}`}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              combobox.updateSelectedOptionIndex();
            }}
          />
          {combobox.dropdownOpened && <FoundOptions find={filter.find} text={text} label={filter.label} />}
        </Combobox.Dropdown>
      </Combobox>
      {id > 0 && <Remove label={filter.label} onRemove={() => onChange(undefined)} />}
    </span>
  );
}

type OptionsProps = { readonly find: FindNamed; readonly text: string; readonly label: string };

/** Number of options that fit without scrolling. */
const offered = '10';

function FoundOptions({ find, text, label }: OptionsProps) {
  const page = useFound(find, text, offered);
  const items = page?.items ?? [];
  return (
    <>
      <Combobox.Options aria-label={label}>
        {items.map((item) => (
          <Combobox.Option key={item.id} value={String(item.id)}>
            {item.name}
          </Combobox.Option>
        ))}
        {page && items.length === 0 && <Combobox.Empty>No matches.</Combobox.Empty>}
      </Combobox.Options>
      {page && page.totalCount > items.length && (
        <Combobox.Footer>
          {count(items.length)} of {count(page.totalCount)} shown. Type to find the others.
        </Combobox.Footer>
      )}
    </>
  );
}

/**
 * Returns the start of a day of the address in the viewer's zone, `daysOn` days later. Undefined if the text is no day.
 */
export function dayStart(day: string | undefined, daysOn = 0): string | undefined {
  if (!isDay(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysOn).toISOString();
}
