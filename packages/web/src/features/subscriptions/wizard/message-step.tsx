import { Checkbox, Radio, Select } from '@mantine/core';
import { type NotificationTrigger, notificationTriggers, type Query } from '@svc/contract';
import { ParametersPanel } from '../../../views/query-run/parameters-panel.tsx';
import { triggerWords } from '../triggers.ts';
import { numberError, type StepProps } from './choices.ts';
import { Step } from './step.tsx';
import { WholeNumber } from './whole-number.tsx';

/** When they are told, and what. */
export function MessageStep({ choices, change, query }: StepProps & { readonly query: Query | undefined }) {
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
      <div className="row wrap" style={{ gap: 16, alignItems: 'flex-end' }}>
        <WholeNumber
          label="Only from this many rows (optional)"
          value={choices.minimumRowCount}
          error={numberError(choices, 'minimumRowCount')}
          onChange={(minimumRowCount) => change({ minimumRowCount })}
        />
        <WholeNumber
          label="At most this many rows told (optional)"
          value={choices.maxRows}
          error={numberError(choices, 'maxRows')}
          onChange={(maxRows) => change({ maxRows })}
        />
        <WholeNumber
          label="Stop the query after, in seconds (optional)"
          value={choices.timeoutSeconds}
          error={numberError(choices, 'timeoutSeconds')}
          onChange={(timeoutSeconds) => change({ timeoutSeconds })}
        />
      </div>
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
