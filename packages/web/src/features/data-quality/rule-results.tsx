import type { ContractRule, RuleResult } from '@svc/contract';
import { count, plural, words } from '../../lib/format.ts';
import { Tag } from '../../ui/record/status.tsx';
import { Outcome, Score } from './outcome.tsx';
import classes from './rule-results.module.css';

type Props = { readonly rules: readonly ContractRule[]; readonly results: readonly RuleResult[] | undefined };

/** The rules of a contract, each with how it stood at the latest evaluation. */
export function RuleResults({ rules, results }: Props) {
  return (
    <ul className={classes['rules']}>
      {rules.map((rule) => (
        <Rule key={rule.id} rule={rule} result={results?.find(({ ruleId }) => ruleId === rule.id)} />
      ))}
    </ul>
  );
}

type RuleProps = { readonly rule: ContractRule; readonly result: RuleResult | undefined };

function Rule({ rule, result }: RuleProps) {
  return (
    <li className={classes['rule']}>
      <div className={classes['head']}>
        {result ? <Outcome status={result.outcome} /> : <span className="soft">Not evaluated yet</span>}
        <span className={classes['name']}>{rule.name}</span>
        <Tag>{words(rule.type)}</Tag>
        <Tag>{rule.severity}</Tag>
        {!rule.isEnabled && <Tag>Off</Tag>}
        {result && (
          <span className="soft">
            Score <Score value={result.score} />
          </span>
        )}
      </div>
      <p className="soft">
        {[rule.columns.join(', '), failingOf(result)].filter((text) => text !== '').join(' · ')}
      </p>
      {result?.message && <p>{result.message}</p>}
      {result?.sample && result.sample.rows.length > 0 && <Sample sample={result.sample} />}
    </li>
  );
}

function failingOf(result: RuleResult | undefined): string {
  if (!result || result.failing === null) return '';
  return result.total === null
    ? `${plural(result.failing, 'row')} broke it`
    : `${count(result.failing)} of ${plural(result.total, 'row')} broke it`;
}

/** Rows that broke a rule; personal data in them is masked by the service. */
const Sample = ({ sample }: { readonly sample: NonNullable<RuleResult['sample']> }) => (
  <details className={classes['sample']}>
    <summary>Rows that broke it ({count(sample.rows.length)})</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What does not fit is scrolled by keyboard too. */}
    <section className={classes['scroll']} tabIndex={0} aria-label="Rows that broke the rule">
      <table>
        <thead>
          <tr>
            {sample.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own and never move
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={sample.columns[at]}>
                  {cell === null ? <span className="soft">NULL</span> : String(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);
