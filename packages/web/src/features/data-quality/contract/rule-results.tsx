import type { ContractRule, RuleResult } from '@svc/contract';
import { words } from '../../../lib/format.ts';
import { Tag } from '../../../ui/record/status.tsx';
import { failingInWords, Sample } from '../finding.tsx';
import { Outcome, Score } from '../outcome.tsx';
import classes from './rule-results.module.css';

type Props = {
  readonly rules: readonly ContractRule[];
  readonly results: readonly RuleResult[] | undefined;
  /** True while the results load. */
  readonly isAwaited: boolean;
};

/** Rules of a contract with their results from an evaluation. Results of deleted rules come last. */
export function RuleResults({ rules, results, isAwaited }: Props) {
  const gone = results?.filter(({ ruleId }) => !rules.some(({ id }) => id === ruleId)) ?? [];
  return (
    <ul className={classes['rules']}>
      {rules.map((rule) => (
        <Rule
          key={rule.id}
          rule={rule}
          result={results?.find(({ ruleId }) => ruleId === rule.id)}
          isAwaited={isAwaited}
        />
      ))}
      {gone.map((result) => (
        <Rule key={result.ruleId} rule={{ ...result, columns: [], isEnabled: true }} result={result} isGone />
      ))}
    </ul>
  );
}

type RuleProps = {
  readonly rule: Pick<ContractRule, 'name' | 'type' | 'severity' | 'columns' | 'isEnabled'>;
  readonly result: RuleResult | undefined;
  readonly isGone?: boolean;
  readonly isAwaited?: boolean;
};

function Rule({ rule, result, isGone = false, isAwaited = false }: RuleProps) {
  return (
    <li className={classes['rule']}>
      <div className={classes['head']}>
        {result ? (
          <Outcome status={result.outcome} />
        ) : (
          <span className="soft">{isAwaited ? '…' : 'Not evaluated yet'}</span>
        )}
        <span className={classes['name']}>{rule.name}</span>
        <Tag>{words(rule.type)}</Tag>
        <Tag>{rule.severity}</Tag>
        {!rule.isEnabled && <Tag>Off</Tag>}
        {isGone && <Tag>Removed since</Tag>}
        {result && (
          <span className="soft">
            Score <Score value={result.score} />
          </span>
        )}
      </div>
      <p className="soft">
        {[rule.columns.join(', '), result ? failingInWords(result) : '']
          .filter((text) => text !== '')
          .join(' · ')}
      </p>
      {result?.message && <p>{result.message}</p>}
      {result?.sample && result.sample.rows.length > 0 && <Sample about={rule.name} sample={result.sample} />}
      {result?.sampleReason && <p className="soft">{`No failing rows: ${result.sampleReason}`}</p>}
    </li>
  );
}
