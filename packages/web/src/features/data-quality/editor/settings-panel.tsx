import { Checkbox, NumberInput, Radio, Textarea } from '@mantine/core';
import { type DataContract, type FailureCondition, failureConditions } from '@svc/contract';
import { useState } from 'react';
import { firstPlan } from '../../../views/schedule/cron.ts';
import { ScheduleFields } from '../../../views/schedule/schedule-fields.tsx';
import { failureWords } from '../alert-words.ts';
import { Owner } from '../owner.tsx';
import { AlertSettings } from './alert-settings.tsx';
import classes from './contract-editor.module.css';
import type { DraftState } from './use-draft.ts';

type Props = {
  readonly state: DraftState;
  /** Contract to change. Null: a new contract. */
  readonly saved: DataContract | null;
};

/** Settings of a contract: schedule, thresholds of the score, recipients and description. */
export const SettingsPanel = ({ state, saved }: Props) => (
  <div className={classes['settings']}>
    <ScheduleSettings state={state} />
    <ScoreSettings state={state} />
    <AlertSettings state={state} />
    <About state={state} saved={saved} />
  </div>
);

type PartProps = Pick<Props, 'state'>;

function ScheduleSettings({ state: { draft, errors, change } }: PartProps) {
  const { cronExpression: plan, timeZone } = draft;
  // Retains the last schedule while the user switches to no schedule.
  const [last, setLast] = useState(plan ?? { ...firstPlan, kind: 'daily' as const });
  const error = errors['cronExpression'] ?? errors['timeZone'];
  return (
    <section className="stack-tight" aria-labelledby="contract-schedule">
      <h2 id="contract-schedule">Schedule</h2>
      <Checkbox
        label="Evaluate it on a schedule"
        description="Without one, it is evaluated only by hand, which sends no alerts."
        checked={plan !== null}
        onChange={(event) => change({ cronExpression: event.currentTarget.checked ? last : null })}
      />
      {plan !== null && (
        <>
          <ScheduleFields
            plan={plan}
            timeZone={timeZone}
            onPlan={(next) => {
              setLast(next);
              change({ cronExpression: next });
            }}
            onTimeZone={(zone) => change({ timeZone: zone })}
          />
          <Checkbox
            label="Switched on"
            description="Off: the schedule is paused."
            checked={draft.isEnabled}
            onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
          />
        </>
      )}
      {error !== undefined && (
        <p role="alert" className={classes['error']}>
          {error}
        </p>
      )}
    </section>
  );
}

const scoreWords: Readonly<{ [condition in FailureCondition]: string }> = {
  AnyRule: 'The score is the mean of the rules by weight, from 0 to 100. Severity sets colour and order.',
  Score:
    'The score is the mean of the rules, from 0 to 100. Critical rules count four times, high three times, medium twice.',
};

const ScoreSettings = ({ state: { draft, errors, change } }: PartProps) => (
  <section className="stack-tight" aria-labelledby="contract-score">
    <h2 id="contract-score">Score</h2>
    <div className="row wrap" style={{ gap: 16, alignItems: 'flex-start' }}>
      <ScoreField
        label="Warns below"
        value={draft.warnScore}
        error={errors['warnScore']}
        onChange={(warnScore) => change({ warnScore })}
      />
      <ScoreField
        label="Fails below"
        value={draft.failScore}
        error={errors['failScore']}
        onChange={(failScore) => change({ failScore })}
      />
    </div>
    <p className="soft">{scoreWords[draft.failsOn]}</p>
    <Radio.Group
      label="The contract fails"
      value={draft.failsOn}
      onChange={(value) => change({ failsOn: failureConditions.find((each) => each === value) ?? 'AnyRule' })}
    >
      <div className="stack-tight" style={{ marginTop: 4 }}>
        {failureConditions.map((each) => (
          <Radio key={each} value={each} label={failureWords[each]} />
        ))}
      </div>
    </Radio.Group>
    <Checkbox
      label="Keep rows that broke a rule"
      description="At most 20 a rule, personal data masked, encrypted at rest."
      checked={draft.keepsSamples}
      onChange={(event) => change({ keepsSamples: event.currentTarget.checked })}
    />
  </section>
);

type ScoreProps = {
  readonly label: string;
  readonly value: number | null;
  readonly error: string | undefined;
  readonly onChange: (value: number | null) => void;
};

const ScoreField = ({ value, onChange, ...field }: ScoreProps) => (
  <NumberInput
    {...field}
    min={0}
    max={100}
    clampBehavior="none"
    allowNegative={false}
    decimalScale={1}
    value={value ?? ''}
    onChange={(next) => onChange(next === '' ? null : Number(next))}
    w={136}
  />
);

const About = ({ state: { draft, errors, change }, saved }: Props) => (
  <section className="stack-tight" aria-labelledby="contract-about">
    <h2 id="contract-about">About</h2>
    <Textarea
      label="Description (optional)"
      autosize
      minRows={2}
      maxRows={8}
      maxLength={2_000}
      value={draft.description}
      error={errors['description']}
      onChange={(event) => change({ description: event.currentTarget.value })}
    />
    {saved ? (
      <div className="row">
        <span className="soft">Owner</span> <Owner record={saved} />
      </div>
    ) : (
      <p className="soft">You will be its owner and get notices of problems with it.</p>
    )}
  </section>
);
