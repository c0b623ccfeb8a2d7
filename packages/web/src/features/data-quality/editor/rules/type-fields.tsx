import { Checkbox, TagsInput, TextInput } from '@mantine/core';
import type { RuleConfig } from '@svc/contract';
import type { ReactNode } from 'react';
import { AgeField } from './age-field.tsx';
import { CountField } from './count-field.tsx';
import { ExpectedFields } from './expected-fields.tsx';
import { ReferenceFields } from './reference-fields.tsx';
import { errorAt, type RulePart } from './rule-part.ts';
import { SqlFields } from './sql-fields.tsx';

/** Fields of a rule that depend on its type, without its columns. */
export function TypeFields(props: RulePart): ReactNode {
  const { rule, errors, change } = props;
  const { config } = rule;
  const set = (part: RuleConfig) => change({ config: { ...config, ...part } });
  switch (rule.type) {
    case 'Freshness':
      return <FreshnessFields config={config} errors={errors} set={set} />;
    case 'Volume':
      return <VolumeFields config={config} errors={errors} set={set} />;
    case 'NullRate':
      return (
        <TagsInput
          label="Texts that count as missing (optional)"
          description="Beside NULL, such as n/a. Enter ends each."
          maxTags={100}
          value={config.missingValues ?? []}
          error={errorAt(errors, 'config/missingValues')}
          onChange={(missingValues) => set({ missingValues })}
          maw={480}
        />
      );
    case 'Range':
      return <RangeFields config={config} errors={errors} set={set} />;
    case 'Pattern':
      return (
        <TextInput
          label="Regular expression"
          description="A part of the value has to match; ^ and $ stand for its ends."
          value={config.pattern ?? ''}
          error={errorAt(errors, 'config/pattern')}
          onChange={(event) => set({ pattern: event.currentTarget.value })}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--font-mono)' } }}
          maw={480}
        />
      );
    case 'AcceptedValues':
      return <ValueFields config={config} errors={errors} set={set} />;
    case 'Referential':
      return <ReferenceFields {...props} />;
    case 'Uniqueness':
      return (
        <Checkbox
          label="Compare rows whose key holds a NULL as well"
          checked={config.countsNulls ?? false}
          onChange={(event) => set({ countsNulls: event.currentTarget.checked })}
        />
      );
    case 'Schema':
      return <ExpectedFields {...props} />;
    case 'CustomSql':
      return <SqlFields {...props} />;
  }
}

type Part = Pick<RulePart, 'errors'> & {
  readonly config: RuleConfig;
  readonly set: (part: RuleConfig) => void;
};

const FreshnessFields = ({ config, errors, set }: Part) => (
  <>
    <div className="row wrap" style={{ gap: 16, alignItems: 'flex-start' }}>
      <AgeField
        label="Fails when older than"
        value={config.maxAgeMinutes ?? null}
        error={errorAt(errors, 'config/maxAgeMinutes')}
        onChange={(minutes) => set({ maxAgeMinutes: minutes ?? 0 })}
      />
      <AgeField
        label="Warns from (optional)"
        value={config.warnAgeMinutes ?? null}
        error={errorAt(errors, 'config/warnAgeMinutes')}
        onChange={(warnAgeMinutes) => set({ warnAgeMinutes })}
      />
      <AgeField
        label="Future times judged up to (optional)"
        value={config.futureToleranceMinutes ?? null}
        error={errorAt(errors, 'config/futureToleranceMinutes')}
        onChange={(futureToleranceMinutes) => set({ futureToleranceMinutes })}
      />
    </div>
    <Checkbox
      label="A table without rows is fresh"
      checked={config.emptyPasses ?? false}
      onChange={(event) => set({ emptyPasses: event.currentTarget.checked })}
    />
  </>
);

const VolumeFields = ({ config, errors, set }: Part) => (
  <div className="row wrap" style={{ gap: 16, alignItems: 'flex-start' }}>
    <CountField
      label="At least this many rows"
      value={config.minRows ?? null}
      error={errorAt(errors, 'config/minRows')}
      onChange={(minRows) => set({ minRows })}
    />
    <CountField
      label="At most this many rows"
      value={config.maxRows ?? null}
      error={errorAt(errors, 'config/maxRows')}
      onChange={(maxRows) => set({ maxRows })}
    />
  </div>
);

/** Returns a bound as the user typed it, or null if empty. As a text, a number with many digits remains exact. */
const endOf = (text: string): string | null => (text.trim() === '' ? null : text);

const RangeFields = ({ config, errors, set }: Part) => (
  <div className="row wrap" style={{ gap: 16, alignItems: 'flex-start' }}>
    <TextInput
      label="From (optional)"
      description="A number, or 2026-01-31."
      value={String(config.min ?? '')}
      error={errorAt(errors, 'config/min')}
      onChange={(event) => set({ min: endOf(event.currentTarget.value) })}
      w={200}
    />
    <TextInput
      label="To (optional)"
      description="The end itself is allowed."
      value={String(config.max ?? '')}
      error={errorAt(errors, 'config/max')}
      onChange={(event) => set({ max: endOf(event.currentTarget.value) })}
      w={200}
    />
  </div>
);

const valuesMax = 1_000;

function ValueFields({ config, errors, set }: Part) {
  const { values = [] } = config;
  // A value that was a number remains a number.
  const asBefore = (text: string) => values.find((value) => String(value) === text) ?? text;
  return (
    <TagsInput
      label="Accepted values"
      description="Enter ends each; several can be pasted, with commas between them."
      maxTags={valuesMax}
      value={values.map(String)}
      error={errorAt(errors, 'config/values')}
      onChange={(texts) => set({ values: texts.map(asBefore) })}
      maw={640}
    />
  );
}
