import { Select, TextInput } from '@mantine/core';
import { plural, viewerZone } from '../../lib/format.ts';
import { Step } from '../../ui/frame/flow-steps.tsx';
import { schedules } from './choices.ts';

type Props = {
  readonly condition: string;
  readonly target: string;
  readonly sql: string;
  /** Present number of rows. */
  readonly rowCount: number | undefined;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly cronExpression: string;
  readonly onSchedule: (cronExpression: string) => void;
};

/** Step that summarises the alert before the first send. */
export function SummaryStep(props: Props) {
  const { condition, target, sql, rowCount, name, onName, cronExpression, onSchedule } = props;
  const schedule = schedules.find(({ value }) => value === cronExpression)?.label ?? '';
  return (
    <Step title="Ready to send">
      <div className="panel stack-tight" style={{ padding: 16 }}>
        <p>
          {schedule} ({viewerZone}), <strong>{target}</strong> gets an alert when {condition}.
        </p>
        {rowCount !== undefined && (
          <p role="status">
            {rowCount === 0
              ? 'There are no rows now, so nothing is sent yet. The first run that finds rows sends.'
              : `${plural(rowCount, 'row')} now: the first alert is sent at once.`}
          </p>
        )}
        <pre className="mono soft" style={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {sql}
        </pre>
      </div>
      <TextInput
        label="Name"
        maxLength={200}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <Select
        label="Runs"
        data={[...schedules]}
        value={cronExpression}
        onChange={(value) => value !== null && onSchedule(value)}
        allowDeselect={false}
        w={240}
      />
    </Step>
  );
}
