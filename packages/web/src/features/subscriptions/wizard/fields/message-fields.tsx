import { Checkbox, Radio, Select } from '@mantine/core';
import { anomalyDefaults, type NotificationTrigger, notificationTriggers, type Query } from '@svc/contract';
import { WholeNumber } from '../../../../ui/form/whole-number.tsx';
import { ParametersPanel } from '../../../../views/query-run/parameters-panel.tsx';
import { QuietHoursFields } from '../../../../views/quiet-hours/quiet-hours-fields.tsx';
import { triggerWords } from '../../triggers.ts';
import { numberError, type StepProps, watchOf } from '../choices.ts';
import { AlertFields } from './alert-fields.tsx';
import { OverlapFields } from './overlap-fields.tsx';
import { RoutingFields } from './routing-fields.tsx';
import { RowMemoryFields } from './row-memory-fields.tsx';

type Props = StepProps & { readonly query: Query | undefined };

/** Fields for the trigger and the content of the message. */
export function MessageFields({ choices, change, query }: Props) {
  return (
    <>
      <Radio.Group
        label="When to alert"
        value={choices.trigger}
        onChange={(trigger) => change({ trigger: trigger as NotificationTrigger })}
      >
        <div className="stack-tight" style={{ marginTop: 4, gap: 16 }}>
          {notificationTriggers.map((trigger) => (
            <Radio key={trigger} value={trigger} label={triggerWords[trigger]} />
          ))}
        </div>
      </Radio.Group>
      {choices.trigger === 'WhileRows' && <AlertFields choices={choices} change={change} />}
      {choices.trigger === 'OnRowChange' && (
        <RowMemoryFields choices={choices} change={change} query={query} />
      )}
      <RowLimits choices={choices} change={change} />
      <div className="stack-tight">
        <OverlapFields choices={choices} change={change} />
        <Checkbox
          label="Watch the row counts"
          description="Learns the usual number of rows and sends what is unusual, whatever you choose above."
          checked={watchOf(choices) !== null}
          disabled={choices.trigger === 'OnAnomaly'}
          onChange={(event) => change({ anomaly: event.currentTarget.checked ? anomalyDefaults : null })}
        />
        <QuietHoursFields
          value={choices.quietHours}
          timeZone={choices.timeZone}
          criticalLabel="Send a critical anomaly at once"
          onChange={(quietHours) => change({ quietHours })}
        />
        <ContentFields choices={choices} change={change} />
      </div>
      {(choices.recipients.length > 0 || choices.routing !== null) && (
        <RoutingFields choices={choices} change={change} query={query} />
      )}
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
    </>
  );
}

/** Limits of rows and time. */
const RowLimits = ({ choices, change }: StepProps) => (
  <div className="row wrap" style={{ gap: 16, alignItems: 'flex-end' }}>
    <WholeNumber
      label="Minimum rows (optional)"
      value={choices.minimumRowCount}
      error={numberError(choices, 'minimumRowCount')}
      onChange={(minimumRowCount) => change({ minimumRowCount })}
    />
    <WholeNumber
      label="Max rows (optional)"
      value={choices.maxRows}
      error={numberError(choices, 'maxRows')}
      onChange={(maxRows) => change({ maxRows })}
    />
    <WholeNumber
      label="Query timeout, in seconds (optional)"
      value={choices.timeoutSeconds}
      error={numberError(choices, 'timeoutSeconds')}
      onChange={(timeoutSeconds) => change({ timeoutSeconds })}
    />
  </div>
);

/** Fields for the rows, the query text and the file. */
const ContentFields = ({ choices, change }: StepProps) => (
  <>
    <Checkbox
      label="Keep the rows of each run"
      description="So that they can be looked at here later."
      checked={choices.storeResults}
      onChange={(event) => change({ storeResults: event.currentTarget.checked })}
    />
    <Checkbox
      label="Show query text in notification"
      checked={choices.showQuery}
      onChange={(event) => change({ showQuery: event.currentTarget.checked })}
    />
    <Checkbox
      label="Include results as attachment"
      description="Emails carry it; other channels do not."
      checked={choices.attachment !== null}
      onChange={(event) => change({ attachment: event.currentTarget.checked ? 'Csv' : null })}
    />
    {choices.attachment !== null && (
      <Select
        aria-label="Attachment format"
        data={[
          { value: 'Csv', label: 'CSV' },
          { value: 'Xlsx', label: 'Excel (XLSX)' },
        ]}
        value={choices.attachment}
        onChange={(format) => change({ attachment: format === 'Xlsx' ? 'Xlsx' : 'Csv' })}
        w={160}
      />
    )}
  </>
);

/** Fields for the tasks of runs and their due time. */
export const TaskFields = ({ choices, change }: StepProps) => (
  <>
    <Checkbox
      label="Open a task while there are rows"
      description="Somebody can take it, snooze it and resolve it. It resolves itself when the rows are gone."
      checked={choices.createTasks}
      onChange={(event) => change({ createTasks: event.currentTarget.checked })}
    />
    {choices.createTasks && (
      <WholeNumber
        label="Due within, in hours (optional)"
        value={choices.slaHours}
        error={numberError(choices, 'slaHours')}
        onChange={(slaHours) => change({ slaHours })}
      />
    )}
  </>
);
