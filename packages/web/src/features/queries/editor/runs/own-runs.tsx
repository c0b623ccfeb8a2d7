import { Button } from '@mantine/core';
import type { OwnRun } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { duration, plural } from '../../../../lib/format.ts';
import { ProblemView } from '../../../../ui/feedback/problem.tsx';
import { Mark, type Tone } from '../../../../ui/record/status.tsx';
import { Time } from '../../../../ui/text/time.tsx';
import { ownRuns } from '../../requests/runs.ts';
import classes from './own-runs.module.css';

type Props = {
  readonly projectId: number | null;
  /** Restores a run into the editor. */
  readonly onTake: (run: OwnRun) => void;
};

const tones: Readonly<Record<OwnRun['outcome'], Tone>> = {
  Succeeded: 'green',
  Failed: 'red',
  Stopped: 'neutral',
};

/** Lists the last runs of the signed-in user in the project, newest first. No other user can see them. */
export function OwnRuns({ projectId, onTake }: Props) {
  const list = useQuery({ ...ownRuns(projectId ?? 0), enabled: projectId !== null, staleTime: 0 });
  if (projectId === null) return <p className="soft">Choose a project first.</p>;
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.items.length === 0)
    return <p className="soft">Your last 50 runs are kept here, for you alone. There is none yet.</p>;
  return (
    <ul className={classes['runs']} aria-label="Your last runs" aria-busy={!list.data}>
      {list.data?.items.map((run) => (
        <li key={run.id}>
          <div className={classes['head']}>
            <Mark tone={tones[run.outcome]} />
            <span className="grow">{outcomeText(run)}</span>
            <Time at={run.ranAt} isQuiet />
          </div>
          {run.queryName !== null && (
            <div className="soft truncate">
              {run.queryName}
              {run.versionNumber !== null && `, version ${run.versionNumber}`}
            </div>
          )}
          <pre className={classes['sql']}>{textOf(run)}</pre>
          <Button
            size="compact-sm"
            aria-label={`Bring back what ran ${outcomeText(run)}: ${textOf(run).slice(0, 60)}`}
            onClick={() => onTake(run)}
          >
            Bring back
          </Button>
        </li>
      ))}
    </ul>
  );
}

function outcomeText({ outcome, rowCount, durationMs, message }: OwnRun): string {
  if (outcome === 'Stopped') return 'Stopped';
  if (outcome === 'Failed') return message ?? 'Failed';
  return `${plural(rowCount ?? 0, 'row')} in ${duration(durationMs)}`;
}

const textOf = ({ steps, finalQuery }: OwnRun): string =>
  [...steps.map((step) => step.sql), ...(finalQuery === null ? [] : [finalQuery])].join('\n\n');
