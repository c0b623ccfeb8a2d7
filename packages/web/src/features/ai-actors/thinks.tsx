import type { AiThink } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Time } from '../../ui/text/time.tsx';
import { actionWords, originWords, ThinkState } from './actor-words.tsx';
import { aiThinks } from './requests/actors.ts';

/** Thinks of an actor, newest first. */
export function Thinks({ actorId }: { readonly actorId: number }) {
  const list = useQuery(aiThinks(actorId));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined) return <div aria-busy="true" style={{ minHeight: 160 }} />;
  if (list.data.items.length === 0)
    return (
      <Empty icon="actor" title="It has not thought yet">
        Think now asks the language model once, with the schema and without rows.
      </Empty>
    );
  return (
    <div className="stack">
      {list.data.items.map((think) => (
        <Think key={think.id} think={think} />
      ))}
    </div>
  );
}

function Think({ think }: { readonly think: AiThink }) {
  const { tokens, failure } = think;
  return (
    <article className="panel stack-tight" style={{ padding: 16 }}>
      <div className="row wrap">
        <ThinkState state={think.state} />
        <span>{originWords[think.origin]}</span>
        {think.orderedByUserName !== null && <span className="soft">by {think.orderedByUserName}</span>}
        <span className="grow" />
        <Time at={think.orderedAt} isQuiet />
      </div>
      {think.feedback !== null && <p>“{think.feedback}”</p>}
      {failure !== null && <p>{failure.message}</p>}
      {think.analysis !== null && <p>{think.analysis}</p>}
      <Findings findings={think.findings} />
      {think.applied.length > 0 && (
        <p>
          Saved at once:{' '}
          {think.applied.map(({ queryId, queryName }, at) => (
            <span key={queryId}>
              {at > 0 && ', '}
              <Link to={paths.query(queryId)}>{queryName}</Link>
            </span>
          ))}
        </p>
      )}
      <Discarded discarded={think.discarded} />
      <p className="soft">
        {think.planId !== null && (
          <>
            <Link to={paths.aiPlan(think.planId)}>Open its plan</Link>,{' '}
          </>
        )}
        {plural(tokens.input + tokens.output, 'token')}
        {think.model !== null && `, ${think.model}`}
      </p>
    </article>
  );
}

/** Observations of the model. */
export function Findings({ findings }: { readonly findings: readonly string[] }) {
  if (findings.length === 0) return null;
  return (
    <ul>
      {findings.map((finding) => (
        <li key={finding}>{finding}</li>
      ))}
    </ul>
  );
}

/** Proposals of the model that the service rejected. */
export function Discarded({ discarded }: Pick<AiThink, 'discarded'>) {
  if (discarded.length === 0) return null;
  return (
    <details>
      <summary>{`${count(discarded.length)} left out of the plan`}</summary>
      <ul>
        {discarded.map(({ type, problem, reasoning }) => (
          <li key={`${type} ${problem} ${reasoning}`}>
            {actionWords[type]}: {problem}
          </li>
        ))}
      </ul>
    </details>
  );
}
