import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Detail } from '../../ui/record/detail.tsx';
import { Candidates } from './candidates.tsx';
import { EvalRuns } from './eval-runs.tsx';
import { EvalSchedules } from './eval-schedules.tsx';
import { SaidOfAnswers } from './said-of-answers.tsx';

/** Page about the quality of answers: evaluations, and the feedback of users. */
export function EvaluationPage() {
  return (
    <>
      <PageHeader title="Evaluation" />
      <Detail
        sections={[
          { id: 'runs', label: 'Evaluations', content: <EvalRuns /> },
          { id: 'schedules', label: 'Schedules', content: <EvalSchedules /> },
          { id: 'candidates', label: 'Candidates', content: <Candidates /> },
          { id: 'feedback', label: 'Feedback', content: <SaidOfAnswers /> },
        ]}
      />
    </>
  );
}
