import { Button } from '@mantine/core';
import type { Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../lib/format.ts';
import { countSaved } from '../../../requests/runs/query-runs.ts';
import { schedulePreview } from '../../../requests/schedules.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Step } from '../../../ui/frame/flow-steps.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { Checks } from '../../../views/query-run/checks.tsx';
import { draftOf, runOf } from '../../../views/query-run/draft.ts';
import { setValues } from '../../../views/query-run/parameter-values.ts';
import { useRun } from '../../../views/query-run/use-run.ts';
import { expressionOf } from '../../../views/schedule/cron.ts';
import { triggerWords } from '../triggers.ts';
import type { Choices } from './choices.ts';

/** Summary of the subscription, and a test of the query. */
export function SummaryStep({ choices, query }: { readonly choices: Choices; readonly query: Query }) {
  const schedule = useQuery(schedulePreview(expressionOf(choices.plan), choices.timeZone));
  const run = useRun();
  const named = choices.recipients;
  const tryIt = () =>
    void run.start((signal, runKey) =>
      countSaved(query.id, { parameters: setValues(choices.values) }, runKey, signal),
    );
  return (
    <Step title="This is what will happen">
      <div className="panel stack-tight" style={{ padding: 16 }}>
        <p>
          <strong>{query.name}</strong> runs: {schedule.data?.description ?? '…'} ({choices.timeZone}).
        </p>
        {named.length > 0 && (
          <p>
            {triggerWords[choices.trigger]}
            {choices.minimumRowCount !== null && `, and only from ${plural(choices.minimumRowCount, 'row')}`},{' '}
            <strong>{named.map((recipient) => recipient.name).join(', ')}</strong>{' '}
            {named.length === 1 ? 'gets' : 'get'} an alert.
          </p>
        )}
        {choices.routing !== null && (
          <p>
            Each gets its own rows, by <strong>{choices.routing.column}</strong>:{' '}
            {plural(choices.routing.routes.length, 'value')}.
          </p>
        )}
        {choices.createTasks && (
          <p>
            A run that finds{' '}
            {choices.minimumRowCount === null ? 'rows' : `${plural(choices.minimumRowCount, 'row')} or more`}{' '}
            opens a task
            {choices.slaHours !== null && `, due within ${plural(choices.slaHours, 'hour')}`}.
          </p>
        )}
        {choices.trigger !== 'Always' && named.length > 0 && (
          <p className="soft">
            {choices.trigger === 'OnRowChange'
              ? 'The first run sends nothing: it remembers the rows that later runs are compared with.'
              : 'The first run has nothing to compare with: it sets the number for later runs.'}
          </p>
        )}
      </div>
      <div className="panel" style={{ padding: 16 }}>
        <Checks body={runOf(draftOf(query), { kind: 'all' }, setValues(choices.values))} />
      </div>
      <div className="row wrap">
        <Button leftSection={<Icon name="run" />} loading={run.state.kind === 'running'} onClick={tryIt}>
          Try the query
        </Button>
        <span role="status">
          {run.state.kind === 'done' &&
            `It answers ${plural(run.state.result.totalCount, 'row')}${run.state.result.isComplete ? '' : ' or more'} now. Nothing was sent.`}
        </span>
      </div>
      {run.state.kind === 'failed' && <ProblemNote error={run.state.error} />}
    </Step>
  );
}
