import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Outcome } from './outcome.tsx';
import classes from './overview.module.css';
import { qualityOverview } from './requests/contracts.ts';

/**
 * Number of contracts by the state of their last evaluation. It reserves its space before the numbers load, so that the
 * list below does not shift.
 */
export function QualityOverview() {
  const { data, isLoadingError, error } = useQuery(qualityOverview());
  if (isLoadingError) return <ProblemNote error={error} />;
  if (data?.contractCount === 0) return null;
  return (
    <dl className={classes['figures']} aria-label="Last evaluations">
      <Figure term={<Outcome status="Failed" />} value={data?.failedCount} />
      <Figure term={<Outcome status="Error" />} value={data?.errorCount} />
      <Figure term={<Outcome status="Warned" />} value={data?.warnedCount} />
      <Figure term={<Outcome status="Passed" />} value={data?.passedCount} />
      <Figure term={<span className="soft">Not evaluated yet</span>} value={data?.unevaluatedCount} />
    </dl>
  );
}

const Figure = ({ term, value }: { readonly term: React.ReactNode; readonly value: number | undefined }) => (
  <div>
    <dt>{term}</dt>
    <dd>{value === undefined ? '–' : count(value)}</dd>
  </div>
);
