import { Autocomplete, Button, Checkbox, Select } from '@mantine/core';
import type { Query } from '@svc/contract';
import { ProblemNote } from '../../../../ui/feedback/problem.tsx';
import type { StepProps } from '../choices.ts';
import classes from '../wizard.module.css';
import { PastedRoutes } from './pasted-routes.tsx';
import { RouteList } from './route-list.tsx';
import { firstRouting, type Routing, routingErrors, withPasted } from './routing.ts';
import { useQueryColumns } from './use-query-columns.ts';

type Props = StepProps & { readonly query: Query | undefined };

/** Fields that route rows to recipients by the value of a column. */
export function RoutingFields(props: Props) {
  const { choices, change } = props;
  const { routing } = choices;
  return (
    <>
      <Checkbox
        label="Each recipient gets its own rows"
        description="By the value in one column. Otherwise every recipient gets all rows."
        checked={routing !== null}
        onChange={(event) => change({ routing: event.currentTarget.checked ? firstRouting : null })}
      />
      {routing !== null && <Fields {...props} routing={routing} />}
    </>
  );
}

function Fields({ choices, change, query, routing }: Props & { readonly routing: Routing }) {
  const queryColumns = useQueryColumns(query, choices);
  const errors = routingErrors(choices);
  const set = (part: Partial<Routing>) => change({ routing: { ...routing, ...part } });
  const recipients = choices.recipients.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <fieldset className={classes['added']}>
      <legend>Own rows</legend>
      <div className="row wrap" style={{ gap: 16, alignItems: 'flex-end' }}>
        <Autocomplete
          label="The column that says whose a row is"
          placeholder="region"
          data={queryColumns.columns}
          value={routing.column}
          error={errors?.column}
          onChange={(column) => set({ column })}
          style={{ flex: '1 1 240px' }}
        />
        <Button disabled={!query} loading={queryColumns.isReading} onClick={queryColumns.read}>
          Get the columns
        </Button>
      </div>
      {queryColumns.error !== undefined && <ProblemNote error={queryColumns.error} />}
      <RouteList
        routes={routing.routes}
        errors={errors}
        recipients={recipients}
        onChange={(routes) => set({ routes })}
      />
      <PastedRoutes
        recipients={choices.recipients}
        onPasted={(pasted) => set({ routes: withPasted(routing.routes, pasted) })}
      />
      <Select
        label="Rows with any other value go to"
        placeholder="Nobody: they are counted, and the owner is notified"
        data={recipients}
        searchable
        clearable
        value={routing.fallbackRecipientId === null ? null : String(routing.fallbackRecipientId)}
        error={errors?.fallback}
        onChange={(id) => set({ fallbackRecipientId: id === null ? null : Number(id) })}
      />
    </fieldset>
  );
}
