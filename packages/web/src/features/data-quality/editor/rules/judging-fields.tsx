import { NumberInput, Select } from '@mantine/core';
import { type RuleUnit, ruleSeverities, ruleUnits } from '@svc/contract';
import { countsRows } from '../draft.ts';
import { CountField } from './count-field.tsx';
import { errorAt, type RulePart } from './rule-part.ts';

const unitWords: Readonly<{ [unit in RuleUnit]: string }> = { Rows: 'rows', Percent: 'percent of the rows' };
const percentMax = 100;

/** Thresholds of a rule for warning and failure, and its weight. */
export function JudgingFields({ rule, errors, change }: Omit<RulePart, 'columns' | 'tables'>) {
  const isShare = rule.unit === 'Percent';
  const number = { isWhole: !isShare, ...(isShare && { max: percentMax, suffix: ' %' }) };
  return (
    <>
      {countsRows(rule) && (
        <div className="row wrap" style={{ gap: 16, alignItems: 'flex-start' }}>
          <CountField
            label="Fails above"
            {...number}
            value={rule.failAbove}
            error={errorAt(errors, 'failAbove')}
            onChange={(failAbove) => change({ failAbove })}
          />
          <CountField
            label="Warns above (optional)"
            {...number}
            value={rule.warnAbove}
            error={errorAt(errors, 'warnAbove')}
            onChange={(warnAbove) => change({ warnAbove })}
          />
          <Select
            label="Counted in"
            data={ruleUnits.map((unit) => ({ value: unit, label: unitWords[unit] }))}
            value={rule.unit}
            error={errorAt(errors, 'unit')}
            onChange={(unit) => change({ unit: ruleUnits.find((each) => each === unit) ?? 'Rows' })}
            w={184}
          />
        </div>
      )}
      <div className="row wrap" style={{ gap: 16, alignItems: 'flex-start' }}>
        <Select
          label="Severity"
          data={[...ruleSeverities]}
          value={rule.severity}
          error={errorAt(errors, 'severity')}
          onChange={(severity) =>
            change({ severity: ruleSeverities.find((each) => each === severity) ?? 'Medium' })
          }
          w={160}
        />
        <NumberInput
          label="Weight in the score"
          min={0.1}
          max={10}
          step={0.5}
          decimalScale={1}
          clampBehavior="none"
          allowNegative={false}
          value={rule.weight ?? ''}
          error={errorAt(errors, 'weight')}
          onChange={(weight) => change({ weight: weight === '' ? null : Number(weight) })}
          w={160}
        />
      </div>
      {rule.severity === 'Critical' && (
        <p className="soft">A critical rule that fails fails the contract, whatever the score.</p>
      )}
    </>
  );
}
