import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { type RowRoute, rowRoutesMax } from '@svc/contract';
import { useState } from 'react';
import { count, plural } from '../../../../lib/format.ts';
import { Icon } from '../../../../ui/text/icons.tsx';
import classes from '../wizard.module.css';
import type { RoutingErrors } from './routing.ts';

/** Maximum number of visible routes. The search finds the others by value. */
const shownMax = 20;

type Choice = { readonly value: string; readonly label: string };

type Props = {
  readonly routes: readonly RowRoute[];
  readonly errors: RoutingErrors | undefined;
  /** Recipients of the subscription. */
  readonly recipients: readonly Choice[];
  readonly onChange: (routes: readonly RowRoute[]) => void;
};

/** Values of the column, each with its recipient. */
export function RouteList({ routes, errors, recipients, onChange }: Props) {
  const [search, setSearch] = useState('');
  const shown = shownRoutes(routes, errors, search.trim().toLowerCase());
  const put = (index: number, part: Partial<RowRoute>) =>
    onChange(routes.map((route, at) => (at === index ? { ...route, ...part } : route)));
  return (
    <>
      {routes.length > shownMax && (
        <TextInput
          aria-label="Find a value"
          placeholder="Find a value"
          leftSection={<Icon name="search" size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter must not submit the step while the user searches.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      )}
      <ul className={classes['routes']} aria-label="Values and their recipients">
        {shown.map((route) => (
          <RouteFields
            key={route.index}
            route={route}
            errors={errors}
            recipients={recipients}
            onChange={(part) => put(route.index, part)}
            onRemove={() => onChange(routes.filter((_, at) => at !== route.index))}
          />
        ))}
      </ul>
      {errors?.routes !== undefined && <p role="alert">{errors.routes}</p>}
      {routes.length > shownMax && (
        <p className="soft" role="status">
          {count(shown.length)} of {plural(routes.length, 'value')} shown. Type a part of one to find the
          others.
        </p>
      )}
      <div>
        <Button
          leftSection={<Icon name="plus" />}
          disabled={routes.length >= rowRoutesMax}
          onClick={() => {
            setSearch('');
            onChange([...routes, { value: '', recipientId: 0 }]);
          }}
        >
          Add a value
        </Button>
      </div>
    </>
  );
}

type IndexedRoute = RowRoute & { readonly index: number };

/** Returns the visible routes that match a lower-case search. Routes with errors come before the limit. */
function shownRoutes(
  routes: readonly RowRoute[],
  errors: RoutingErrors | undefined,
  search: string,
): readonly IndexedRoute[] {
  const matches = routes.flatMap((route, index) =>
    search === '' || route.value.toLowerCase().includes(search) ? [{ ...route, index }] : [],
  );
  const isWrong = (index: number) => errors?.values.has(index) || errors?.recipients.has(index);
  return [...matches.filter(({ index }) => isWrong(index)), ...matches.filter(({ index }) => !isWrong(index))]
    .slice(0, shownMax)
    .toSorted((one, other) => one.index - other.index);
}

type RouteProps = {
  readonly route: IndexedRoute;
  readonly errors: RoutingErrors | undefined;
  readonly recipients: readonly Choice[];
  readonly onChange: (part: Partial<RowRoute>) => void;
  readonly onRemove: () => void;
};

/** Value and recipient of one route. */
function RouteFields({ route, errors, recipients, onChange, onRemove }: RouteProps) {
  const { value, recipientId, index } = route;
  return (
    <li className={classes['route']}>
      <TextInput
        aria-label={`Value ${index + 1}`}
        placeholder="Value"
        spellCheck={false}
        autoComplete="off"
        value={value}
        error={errors?.values.get(index)}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <Select
        aria-label={`Recipient of value ${index + 1}`}
        placeholder="Find a recipient"
        data={recipients}
        searchable
        allowDeselect={false}
        value={recipientId === 0 ? null : String(recipientId)}
        error={errors?.recipients.get(index)}
        onChange={(id) => onChange({ recipientId: Number(id ?? 0) })}
      />
      <ActionIcon aria-label={`Remove value ${index + 1}`} onClick={onRemove}>
        <Icon name="close" />
      </ActionIcon>
    </li>
  );
}
