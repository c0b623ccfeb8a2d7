import { NumberInput, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { shortTime, viewerZone } from '../../lib/format.ts';
import { schedulePreview } from '../../requests/schedules.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { everyMinutesOptions, expressionOf, type Plan, planKinds } from './cron.ts';
import classes from './schedule-fields.module.css';
import { WeekdayButtons } from './weekday-buttons.tsx';
import { zones } from './zones.ts';

type Props = {
  readonly plan: Plan;
  readonly timeZone: string;
  readonly onPlan: (plan: Plan) => void;
  readonly onTimeZone: (zone: string) => void;
};

const settleMs = 300;

/** Fields of a schedule: a form or a cron expression. The service describes the schedule. */
export function ScheduleFields({ plan, timeZone, onPlan, onTimeZone }: Props) {
  const set = (part: Partial<Plan>) => onPlan({ ...plan, ...part });
  return (
    <div className="stack">
      <div className={classes['fields']}>
        <Select
          label="How often"
          data={planKinds}
          value={plan.kind}
          onChange={(kind) =>
            set({ kind: (kind ?? 'daily') as Plan['kind'], expression: expressionOf(plan) })
          }
          w={184}
        />
        <TimeField plan={plan} set={set} />
        {plan.kind === 'monthly' && (
          <NumberInput
            label="Day"
            min={1}
            max={31}
            value={plan.dayOfMonth}
            onChange={(value) => set({ dayOfMonth: Math.min(31, Math.max(1, Number(value) || 1)) })}
            w={96}
          />
        )}
        {plan.kind === 'custom' && <ExpressionField plan={plan} timeZone={timeZone} set={set} />}
        <Select
          label="Time zone"
          data={zones}
          value={timeZone}
          onChange={(zone) => onTimeZone(zone ?? viewerZone)}
          searchable
          w={200}
        />
      </div>
      {plan.kind === 'weekly' && (
        <WeekdayButtons legend="Days" days={plan.weekdays} onChange={(weekdays) => set({ weekdays })} />
      )}
      <NextTimes expression={expressionOf(plan)} timeZone={timeZone} />
    </div>
  );
}

type FieldProps = { readonly plan: Plan; readonly set: (part: Partial<Plan>) => void };

/** Field for the time of a plan: its interval, its minute, or its time of day. A custom expression has none. */
function TimeField({ plan, set }: FieldProps) {
  switch (plan.kind) {
    case 'minutes':
      return (
        <Select
          label="Minutes"
          data={everyMinutesOptions.map(String)}
          value={String(plan.everyMinutes)}
          onChange={(value) => set({ everyMinutes: Number(value) })}
          w={96}
        />
      );
    case 'hourly':
      return (
        <NumberInput
          label="Minute"
          min={0}
          max={59}
          value={Number(plan.time.split(':')[1])}
          onChange={(value) => set({ time: `00:${String(Number(value) || 0).padStart(2, '0')}` })}
          w={96}
        />
      );
    case 'daily':
    case 'weekdays':
    case 'weekly':
    case 'monthly':
      return (
        <TextInput
          type="time"
          label="At"
          value={plan.time}
          onChange={(event) => set({ time: event.currentTarget.value })}
          w={120}
        />
      );
    case 'custom':
      return null;
  }
}

type ExpressionProps = FieldProps & { readonly timeZone: string };

/** Field for a cron expression. It is marked if the service refuses the expression. */
function ExpressionField({ plan, timeZone, set }: ExpressionProps) {
  const [settled] = useDebouncedValue(expressionOf(plan), settleMs);
  const isRefused = useQuery(schedulePreview(settled, timeZone)).isLoadingError;
  return (
    <TextInput
      label="Expression"
      description="Minute, hour, day, month, weekday"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      styles={{ input: { fontFamily: 'var(--font-mono)' } }}
      value={plan.expression}
      error={isRefused}
      onChange={(event) => set({ expression: event.currentTarget.value })}
      w={184}
    />
  );
}

type NextProps = { readonly expression: string; readonly timeZone: string };

/** Description of a schedule and its next five times, in its zone and in the viewer's zone. */
export function NextTimes({ expression, timeZone }: NextProps) {
  const [settled] = useDebouncedValue(expression, settleMs);
  const preview = useQuery(schedulePreview(settled, timeZone));
  if (preview.isLoadingError) return <ProblemNote error={preview.error} />;
  const isElsewhere = timeZone !== viewerZone;
  const times = preview.data?.nextTimes ?? [];
  const hasSeconds = times.some((time) => new Date(time).getUTCSeconds() !== 0);
  return (
    <div className={classes['preview']} aria-live="polite">
      <p className={classes['words']}>{preview.data?.description ?? ' '}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Next times in {timeZone}</th>
            {isElsewhere && <th scope="col">Your time zone ({viewerZone})</th>}
          </tr>
        </thead>
        <tbody>
          {times.map((time) => (
            <tr key={time}>
              <td className="mono">{shortTime(time, timeZone, hasSeconds)}</td>
              {isElsewhere && <td className="mono">{shortTime(time, viewerZone, hasSeconds)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
