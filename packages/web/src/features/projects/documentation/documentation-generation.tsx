import { Button, Progress } from '@mantine/core';
import { cancelDocumentation, type DocumentationGeneration } from '@svc/contract';
import { count, plural, takenInWords } from '../../../lib/format.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastProblem } from '../../../ui/feedback/toast.tsx';
import { Sentence } from '../../../ui/record/status.tsx';

type Props = {
  readonly projectId: number;
  readonly generation: DocumentationGeneration;
  readonly canWrite: boolean;
};

/** Progress of a generation, and the model's usage. Renders nothing for a successful generation without a model. */
export function Generation({ projectId, generation, canWrite }: Props) {
  if (generation.finishedAt === null)
    return <UnderWay projectId={projectId} generation={generation} canWrite={canWrite} />;
  const { state, failure, tablesDescribed } = generation;
  return (
    <>
      {failure !== null && (
        <Sentence
          tone={state === 'Failed' ? 'red' : 'amber'}
        >{`${failure.message} ${retainedText}`}</Sentence>
      )}
      {state === 'Cancelled' && (
        <Sentence tone="neutral">{`The last generation was cancelled. ${retainedText}`}</Sentence>
      )}
      {tablesDescribed > 0 && (
        <p className="soft">
          The last generation described {plural(tablesDescribed, 'table')}: {takenInWords(generation)}.
        </p>
      )}
    </>
  );
}

const retainedText = 'What was written until then is kept.';

function UnderWay({ projectId, generation, canWrite }: Props) {
  const cancel = useChange(cancelDocumentation);
  const { tablesToDescribe, tablesDescribed } = generation;
  const isAsking = tablesToDescribe > 0;
  const stage = isAsking
    ? `The language model describes tables: ${count(tablesDescribed)} of ${count(tablesToDescribe)}`
    : 'Reading what is known';
  return (
    <div className="panel stack-tight" style={{ padding: '12px 16px' }} aria-live="polite">
      <div className="row wrap">
        <span className="grow">{stage}</span>
        {canWrite && (
          <Button
            variant="default"
            size="compact-sm"
            loading={cancel.isPending}
            onClick={() => void cancel.mutateAsync({ params: { id: projectId } }).catch(toastProblem)}
          >
            Cancel
          </Button>
        )}
      </div>
      <Progress
        aria-label="How far the documentation is"
        value={isAsking ? 10 + (90 * tablesDescribed) / tablesToDescribe : 5}
      />
      {generation.tokens.input > 0 && <p className="soft">So far {takenInWords(generation)}.</p>}
    </div>
  );
}
