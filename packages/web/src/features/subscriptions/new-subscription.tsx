import { Button, Checkbox, NumberInput, Radio, Select } from '@mantine/core';
import {
  type AttachmentFormat,
  createSubscription,
  type NotificationTrigger,
  notificationTriggers,
  type Query,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { plural, viewerZone } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { FlowPage } from '../../ui/flow-page.tsx';
import { useGo } from '../../ui/go.ts';
import { Icon } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { toastDone } from '../../ui/toast.tsx';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { type ParameterValue, setValues } from '../queries/editor/parameter-values.ts';
import { ParametersPanel } from '../queries/editor/parameters-panel.tsx';
import { useRun } from '../queries/editor/use-run.ts';
import { queries } from '../queries/requests/queries.ts';
import { query as queryRead } from '../queries/requests/query.ts';
import { runSaved } from '../queries/requests/run-saved.ts';
import { recipients } from '../recipients/requests/recipients.ts';
import { expressionOf, firstPlan, type Plan } from './cron.ts';
import classes from './new-subscription.module.css';
import { schedulePreview } from './requests/schedule-preview.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { triggerWords } from './triggers.ts';

type Choices = {
  readonly queryId: number | null;
  readonly plan: Plan;
  readonly timeZone: string;
  readonly recipientIds: readonly number[];
  readonly trigger: NotificationTrigger;
  readonly minimumRowCount: number | null;
  readonly showQuery: boolean;
  readonly storeResults: boolean;
  readonly attachment: AttachmentFormat | null;
  readonly values: Readonly<{ [name: string]: ParameterValue }>;
};

type Change = (part: Partial<Choices>) => void;

const steps = ['Query', 'Schedule', 'Recipients', 'Message', 'Summary'] as const;

/** Subscribing, one question at a time, with a try before the end. */
export function NewSubscription({ queryId }: { readonly queryId: number | null }) {
  const go = useGo();
  const [at, setAt] = useState(queryId === null ? 0 : 1);
  const [choices, setChoices] = useState<Choices>({
    queryId,
    plan: firstPlan,
    timeZone: viewerZone,
    recipientIds: [],
    trigger: 'OnResultCountChange',
    minimumRowCount: null,
    showQuery: false,
    storeResults: true,
    attachment: null,
    values: {},
  });
  const create = useChange(createSubscription, { touches: ['queries'] });
  const chosen = useQuery({ ...queryRead(choices.queryId ?? 0), enabled: choices.queryId !== null });
  const change: Change = (part) => setChoices((before) => ({ ...before, ...part }));
  const isReady = [choices.queryId !== null, true, choices.recipientIds.length > 0, true, true];

  const save = async () => {
    try {
      const made = await create.mutateAsync({ body: bodyOf(choices) });
      toastDone(`The subscription to “${made.queryName}” was created. Test it to see what is delivered.`);
      go(paths.subscription(made.id), { replace: true, isSaved: true });
    } catch {
      // The refusal is shown above the summary.
    }
  };

  return (
    <FlowPage title="New subscription" parent={{ to: paths.subscriptions(), label: 'Subscriptions' }}>
      <UnsavedGuard isDirty={choices.recipientIds.length > 0} />
      <ol className={classes['steps']}>
        {steps.map((label, index) => (
          <li key={label} data-state={index === at ? 'present' : index < at ? 'done' : 'ahead'}>
            <button
              type="button"
              disabled={index > at}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => setAt(index)}
            >
              <span className="mono">{index + 1}</span> {label}
            </button>
          </li>
        ))}
      </ol>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (at < steps.length - 1) setAt(at + 1);
          else void save();
        }}
      >
        <ProblemNote error={create.error ?? chosen.error} />
        {at === 0 && <QueryStep choices={choices} change={change} />}
        {at === 1 && (
          <Step title="When does it run?">
            <ScheduleFields
              plan={choices.plan}
              timeZone={choices.timeZone}
              onPlan={(plan) => change({ plan })}
              onTimeZone={(timeZone) => change({ timeZone })}
            />
          </Step>
        )}
        {at === 2 && <RecipientsStep choices={choices} change={change} />}
        {at === 3 && <MessageStep choices={choices} change={change} query={chosen.data} />}
        {at === 4 && chosen.data && <SummaryStep choices={choices} query={chosen.data} />}
        <div className="row">
          {at > 0 && (
            <Button variant="subtle" onClick={() => setAt(at - 1)}>
              Back
            </Button>
          )}
          <Button type="submit" variant="filled" disabled={!isReady[at]} loading={create.isPending}>
            {at < steps.length - 1 ? 'Continue' : 'Create subscription'}
          </Button>
        </div>
      </form>
    </FlowPage>
  );
}

function bodyOf(choices: Choices) {
  return {
    queryId: choices.queryId ?? 0,
    cronExpression: expressionOf(choices.plan),
    timeZone: choices.timeZone,
    recipientIds: [...choices.recipientIds],
    notificationTrigger: choices.trigger,
    minimumRowCount: choices.minimumRowCount,
    showQuery: choices.showQuery,
    storeResults: choices.storeResults,
    includeAttachment: choices.attachment !== null,
    attachmentFormat: choices.attachment,
    parameters: setValues(choices.values),
  };
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby="flow-step">
      <h2 id="flow-step">{title}</h2>
      {children}
    </section>
  );
}

type StepProps = { readonly choices: Choices; readonly change: Change };

function QueryStep({ choices, change }: StepProps) {
  const [search, setSearch] = useState('');
  const found = useQuery(queries({ search, pageSize: '50', sort: 'name' }));
  return (
    <Step title="Which query?">
      <Select
        aria-label="Query"
        placeholder="Find a query by its name"
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        filter={({ options }) => options}
        nothingFoundMessage="No query has this name."
        data={(found.data?.items ?? []).map((item) => ({ value: String(item.id), label: item.name }))}
        value={choices.queryId === null ? null : String(choices.queryId)}
        onChange={(value) => change({ queryId: value === null ? null : Number(value), values: {} })}
        data-autofocus
      />
      {found.data?.totalCount === 0 && search === '' && (
        <p className="soft row">
          There is no query yet. <LinkButton to={paths.newQuery()}>Write one</LinkButton>
        </p>
      )}
    </Step>
  );
}

function RecipientsStep({ choices, change }: StepProps) {
  const all = useQuery(recipients({ pageSize: '200', sort: 'name' }));
  const toggle = (id: number) =>
    change({
      recipientIds: choices.recipientIds.includes(id)
        ? choices.recipientIds.filter((other) => other !== id)
        : [...choices.recipientIds, id],
    });
  return (
    <Step title="Who is told?">
      <ProblemNote error={all.error} />
      {all.data?.totalCount === 0 ? (
        <p className="soft">
          There is no recipient yet. Somebody with the permission SecurityAdmin adds them under Recipients.{' '}
          <LinkButton to={paths.recipients()}>Recipients</LinkButton>
        </p>
      ) : (
        <fieldset className={classes['choices']}>
          <legend className="visually-hidden">Recipients</legend>
          {(all.data?.items ?? []).map((recipient) => (
            <Checkbox
              key={recipient.id}
              label={recipient.name}
              description={
                recipient.state === 'Approved'
                  ? recipient.notificationType
                  : `${recipient.notificationType}, not told until it is approved`
              }
              checked={choices.recipientIds.includes(recipient.id)}
              onChange={() => toggle(recipient.id)}
            />
          ))}
        </fieldset>
      )}
    </Step>
  );
}

function MessageStep({ choices, change, query }: StepProps & { readonly query: Query | undefined }) {
  return (
    <Step title="When are they told, and what?">
      <Radio.Group
        label="They are told"
        value={choices.trigger}
        onChange={(trigger) => change({ trigger: trigger as NotificationTrigger })}
      >
        <div className="stack-tight" style={{ marginTop: 4 }}>
          {notificationTriggers.map((trigger) => (
            <Radio key={trigger} size="xs" value={trigger} label={triggerWords[trigger]} />
          ))}
        </div>
      </Radio.Group>
      <NumberInput
        label="Only from this many rows (optional)"
        min={1}
        value={choices.minimumRowCount ?? ''}
        onChange={(value) => change({ minimumRowCount: value === '' ? null : Number(value) })}
        w={220}
      />
      <div className="stack-tight">
        <Checkbox
          label="Keep the rows of each run"
          description="So that they can be looked at here later."
          checked={choices.storeResults}
          onChange={(event) => change({ storeResults: event.currentTarget.checked })}
        />
        <Checkbox
          label="Show the query text in the message"
          checked={choices.showQuery}
          onChange={(event) => change({ showQuery: event.currentTarget.checked })}
        />
        <Checkbox
          label="Attach the rows as a file"
          description="Emails carry it; other channels do not."
          checked={choices.attachment !== null}
          onChange={(event) => change({ attachment: event.currentTarget.checked ? 'Csv' : null })}
        />
        {choices.attachment !== null && (
          <Select
            aria-label="Kind of file"
            data={[
              { value: 'Csv', label: 'CSV' },
              { value: 'Xlsx', label: 'Excel (XLSX)' },
            ]}
            value={choices.attachment}
            onChange={(format) => change({ attachment: format === 'Xlsx' ? 'Xlsx' : 'Csv' })}
            w={160}
          />
        )}
      </div>
      {query && query.parameters.length > 0 && (
        <section className="stack-tight">
          <h3>Values of the query</h3>
          <ParametersPanel
            parameters={query.parameters}
            values={choices.values}
            onValue={(name, value) => change({ values: { ...choices.values, [name]: value } })}
          />
        </section>
      )}
    </Step>
  );
}

function SummaryStep({ choices, query }: { readonly choices: Choices; readonly query: Query }) {
  const all = useQuery(recipients({ pageSize: '200', sort: 'name' }));
  const schedule = useQuery(schedulePreview(expressionOf(choices.plan), choices.timeZone));
  const run = useRun();
  const named = (all.data?.items ?? []).filter((recipient) => choices.recipientIds.includes(recipient.id));
  const tryIt = () =>
    void run.start((signal) =>
      runSaved(query.id, { parameters: setValues(choices.values) }, { page: '0', pageSize: '1' }, signal),
    );
  return (
    <Step title="This is what will happen">
      <div className="panel stack-tight" style={{ padding: 16 }}>
        <p>
          <strong>{query.name}</strong> runs: {schedule.data?.description ?? '…'} ({choices.timeZone}).
        </p>
        <p>
          {triggerWords[choices.trigger]}
          {choices.minimumRowCount !== null && `, and only from ${plural(choices.minimumRowCount, 'row')}`},{' '}
          <strong>{named.map((recipient) => recipient.name).join(', ')}</strong>{' '}
          {named.length === 1 ? 'is' : 'are'} told.
        </p>
        {choices.trigger !== 'Always' && (
          <p className="soft">
            The first run has nothing to compare with: it sets the number that later ones look at.
          </p>
        )}
      </div>
      <div className="row wrap">
        <Button leftSection={<Icon name="run" />} loading={run.state.kind === 'running'} onClick={tryIt}>
          Try the query
        </Button>
        <span role="status">
          {run.state.kind === 'done' &&
            `It answers ${plural(run.state.result.totalCount, 'row')}${run.state.result.isComplete ? '' : ' or more'} now. Nobody was told.`}
        </span>
      </div>
      {run.state.kind === 'failed' && <ProblemNote error={run.state.error} />}
    </Step>
  );
}
