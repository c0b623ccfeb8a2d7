import { ActionIcon, Autocomplete, Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { type Query, type RowRoute, rowRoutesMax } from '@svc/contract';
import { useState } from 'react';
import { count, plural } from '../../../lib/format.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import type { StepProps } from './choices.ts';
import {
  firstRouting,
  type Pasted,
  type Routing,
  type RoutingErrors,
  readPasted,
  routingErrors,
  withPasted,
} from './routing.ts';
import { useQueryColumns } from './use-query-columns.ts';
import classes from './wizard.module.css';

/** Maximum number of visible routes. The search finds the others by value. */
const shownMax = 20;
/** Maximum number of pasted lines whose error is shown. */
const problemsShown = 5;

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
  const named = choices.recipients.map(({ id, name }) => ({ value: String(id), label: name }));
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
      <Routes routes={routing.routes} errors={errors} named={named} onChange={(routes) => set({ routes })} />
      <PasteLines
        recipients={choices.recipients}
        onPasted={(pasted) => set({ routes: withPasted(routing.routes, pasted) })}
      />
      <Select
        label="Rows with any other value go to"
        placeholder="Nobody: they are counted, and the owner is notified"
        data={named}
        searchable
        clearable
        value={routing.fallbackRecipientId === null ? null : String(routing.fallbackRecipientId)}
        error={errors?.fallback}
        onChange={(id) => set({ fallbackRecipientId: id === null ? null : Number(id) })}
      />
    </fieldset>
  );
}

type RoutesProps = {
  readonly routes: readonly RowRoute[];
  readonly errors: RoutingErrors | undefined;
  /** Recipients of the subscription. */
  readonly named: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (routes: readonly RowRoute[]) => void;
};

/** Recipient of each value. */
function Routes({ routes, errors, named, onChange }: RoutesProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const matches = routes.flatMap((route, index) =>
    wanted === '' || route.value.toLowerCase().includes(wanted) ? [{ ...route, index }] : [],
  );
  // Routes with errors are always visible.
  const isWrong = (index: number) => errors?.values.has(index) || errors?.recipients.has(index);
  const shown = [
    ...matches.filter(({ index }) => isWrong(index)),
    ...matches.filter(({ index }) => !isWrong(index)),
  ]
    .slice(0, shownMax)
    .toSorted((one, other) => one.index - other.index);
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
        {shown.map(({ value, recipientId, index }) => (
          <li key={index} className={classes['route']}>
            <TextInput
              aria-label={`Value ${index + 1}`}
              placeholder="Value"
              spellCheck={false}
              autoComplete="off"
              value={value}
              error={errors?.values.get(index)}
              onChange={(event) => put(index, { value: event.currentTarget.value })}
            />
            <Select
              aria-label={`Recipient of value ${index + 1}`}
              placeholder="Find a recipient"
              data={named}
              searchable
              allowDeselect={false}
              value={recipientId === 0 ? null : String(recipientId)}
              error={errors?.recipients.get(index)}
              onChange={(id) => put(index, { recipientId: Number(id ?? 0) })}
            />
            <ActionIcon
              aria-label={`Remove value ${index + 1}`}
              onClick={() => onChange(routes.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          </li>
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

type PasteProps = {
  readonly recipients: Parameters<typeof readPasted>[1];
  readonly onPasted: (routes: readonly RowRoute[]) => void;
};

/** Creates many routes from two columns that the user copied from a spreadsheet. */
function PasteLines({ recipients, onPasted }: PasteProps) {
  const [text, setText] = useState('');
  const [last, setLast] = useState<Pasted | null>(null);
  const take = () => {
    const pasted = readPasted(text, recipients);
    setLast(pasted);
    onPasted(pasted.routes);
    setText(pasted.left.join('\n'));
  };
  const more = (last?.problems.length ?? 0) - problemsShown;
  return (
    <div className="stack-tight">
      <Textarea
        label="Paste many (optional)"
        description="A line each: the value, a tab, the name of the recipient. Two columns of a spreadsheet come like this."
        placeholder={'north\tTeam North'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setLast(null);
        }}
      />
      <div>
        <Button disabled={text.trim() === ''} onClick={take}>
          Add these lines
        </Button>
      </div>
      <span role="status" className="soft">
        {last !== null && last.routes.length > 0 && `${plural(last.routes.length, 'line')} added.`}
      </span>
      {last !== null && last.problems.length > 0 && (
        <div role="alert">
          <ul>
            {last.problems.slice(0, problemsShown).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
            {more > 0 && <li>{plural(more, 'more line')} could not be read.</li>}
          </ul>
        </div>
      )}
    </div>
  );
}
