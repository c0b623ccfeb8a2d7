import type { RuleResult } from '@svc/contract';
import { count, plural } from '../../lib/format.ts';
import classes from './finding.module.css';

/** Returns the number of violations of a rule: rows, or differences from the schema. Empty if the rule counts none. */
export function failingInWords({
  type,
  failing,
  total,
}: Pick<RuleResult, 'type' | 'failing' | 'total'>): string {
  if (failing === null) return '';
  if (type === 'Schema') return plural(failing, 'difference');
  return total === null
    ? `${plural(failing, 'row')} broke it`
    : `${count(failing)} of ${plural(total, 'row')} broke it`;
}

type SampleProps = {
  /** Name of the rule. */
  readonly about: string;
  readonly sample: NonNullable<RuleResult['sample']>;
  readonly isOpen?: boolean;
};

/** Rows that break a rule. The service masks personal data in them. */
export const Sample = ({ about, sample, isOpen = false }: SampleProps) => (
  <details className={classes['sample']} open={isOpen}>
    <summary>Rows that broke it ({count(sample.rows.length)})</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What does not fit is scrolled by keyboard too. */}
    <section className={classes['scroll']} tabIndex={0} aria-label={`Rows that broke the rule ${about}`}>
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
